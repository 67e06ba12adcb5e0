#include "app/lab/divergence_report.hpp"

#include "result/record.hpp"

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
  nlohmann::ordered_json record = result::first_record(
      "divergence", result::running_program(kernels),
      {{"job", title},
       {"test", test},
       {"tests", statistics.tests},
       {"rounds", {{"min", statistics.least}, {"mean", statistics.mean}, {"max", statistics.greatest}}}});
  for (std::size_t w = 0; w < DivergenceStatistics::widths.size(); ++w)
    record["nmdm"][std::to_string(DivergenceStatistics::widths[w])] = statistics.nmdm[w];
  return result::record_line(record);
}

} // namespace tmd
