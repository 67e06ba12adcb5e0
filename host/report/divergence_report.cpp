#include "report/divergence_report.hpp"

#include "result/schema.hpp"
#include "support/gnuplot.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd {

std::string divergence_table(const DivergenceStatistics& statistics) {
  std::string text = fmt::format("  tests          {}\n  rounds         min {}, mean {:.2f}, max {}\n",
                                 statistics.tests, statistics.least, statistics.mean, statistics.greatest);
  for (std::size_t w = 0; w < DivergenceStatistics::widths.size(); ++w)
    text += fmt::format("  NMDM, width {:<3}{:.2f} %\n", DivergenceStatistics::widths[w], 100 * statistics.nmdm[w]);
  return text + "  NMDM (normalized mean deviation to the maximum): the share of the time that a SIMD group loses by "
                "waiting for its\n"
                "  longest test\n";
}

std::string divergence_record(std::string_view title, std::string_view test, const opencl::KernelUse& kernels,
                              const DivergenceStatistics& statistics) {
  nlohmann::ordered_json record{
      {"type", "divergence"},
      {"schema", record_schema},
      {"job", title},
      {"test", test},
      {"kernels", kernels.digest},
      {"foreign_kernels", kernels.foreign},
      {"tests", statistics.tests},
      {"rounds", {{"min", statistics.least}, {"mean", statistics.mean}, {"max", statistics.greatest}}}};
  for (std::size_t w = 0; w < DivergenceStatistics::widths.size(); ++w)
    record["nmdm"][std::to_string(DivergenceStatistics::widths[w])] = statistics.nmdm[w];
  return record.dump() + "\n";
}

std::string divergence_plot(std::string_view title, const DivergenceStatistics& statistics) {
  std::string data = "$nmdm << END\n";
  for (std::size_t bin = 0; bin < statistics.histogram[0].size(); ++bin) {
    data += std::to_string(bin);
    for (const auto& histogram : statistics.histogram) {
      std::uint64_t groups = 0;
      for (const std::uint64_t count : histogram)
        groups += count;
      data += fmt::format(
          " {:.6f}", groups == 0 ? 0.0 : 100.0 * static_cast<double>(histogram[bin]) / static_cast<double>(groups));
    }
    data += "\n";
  }
  data += "END\n";
  std::string curves;
  for (std::size_t w = 0; w < DivergenceStatistics::widths.size(); ++w)
    curves += fmt::format("{}$nmdm using 1:{} with steps linewidth 2 title 'SIMD width {}'", w == 0 ? "plot " : ", ",
                          w + 2, DivergenceStatistics::widths[w]);
  return gnuplot_svg(
      fmt::format("{}set title {} noenhanced\nset xlabel 'NMDM of the rounds of a SIMD group, per cent'\n"
                  "set ylabel 'groups, per cent'\nset xrange [0:60]\nset grid\n{}\n",
                  data, gnuplot_quoted(title), curves));
}

} // namespace tmd
