#include "result/wc.hpp"

#include <fmt/format.h>

namespace tmd {

std::string describe(const Job& job, const RunDescription& run) {
  return fmt::format("{} on [{}, {}), {} with arguments of {} bits, breakpoints: {}, K = {}", job.function->name,
                     run.from, run.to, job.format.name, job.argument_precision, to_string(job.rounding), job.bits);
}

std::string wc_file(const Job& job, const RunDescription& run, const SearchResult& result) {
  std::string text = fmt::format("# Hard-to-round cases of {}.\n"
                                 "# Complete: every argument closer than 2^-{} spacings to a breakpoint is listed.\n"
                                 "# {} arguments covered; {} cases, {} exact cases not listed.\n"
                                 "# Made by tmd {} with: {}\n"
                                 "# Kernels: {}\n",
                                 describe(job, run), job.bits, to_string(result.arguments()), result.cases.size(),
                                 result.exact.size(), run.version, run.command, to_string(run.kernels));
  for (const Case& found : result.undecided)
    text += fmt::format("# Undecided: {}\n", to_hex(found.x));
  for (const Case& found : result.cases)
    text += to_hex(found.x) + "\n";
  return text;
}

} // namespace tmd
