#include "library/library_target.hpp"

#include "library/c_type.hpp"
#include "library/library_process.hpp"

#include <memory>

namespace tmd::library {

std::size_t size_of(const Format& format) {
  return with_c_type(format, [](auto zero) { return sizeof zero; });
}

std::vector<std::string> served(const std::string& symbol, Returned returned, const Format& format,
                                const std::vector<std::string>& more) {
  const std::string result(to_string(returned));
  std::vector<std::string> arguments{"libm",     "--serve",   "--symbol", symbol,
                                     "--format", format.name, "--result", result};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

MakeCalledFunction open_library(const LibraryTarget& target, const std::string& program) {
  std::vector<std::string> arguments =
      served(target.symbol, target.returned, target.format, {"--library", target.library});
  if (target.flags)
    arguments.emplace_back("--flags");
  if (target.lanes > 1)
    arguments.insert(arguments.end(), {"--lanes", std::to_string(target.lanes)});
  if (target.operands > 1)
    arguments.insert(arguments.end(), {"--operands", std::to_string(target.operands)});
  const LibraryProcess::Manner manner{size_of(target.format), target.lanes,   target.nearest_only, false,
                                      target.patience,        target.operands};
  return [=] { return std::make_unique<LibraryProcess>(program, arguments, manner); };
}

} // namespace tmd::library
