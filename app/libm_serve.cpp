// tmd libm --serve: the process that calls a function. The process that chooses arguments and judges results starts it.
#include "commands.hpp"
#include "interrupt.hpp"
#include "libm_target.hpp"
#include "options.hpp"

#include "library/built_in_function.hpp"
#include "library/library_worker.hpp"
#include "library/returned.hpp"

#include <string>

namespace tmd::app {

void serve_libm(const cxxopts::ParseResult& parsed) {
  constexpr int channel = 3; // inherited descriptors
  constexpr int memory = 4;
  const auto value = [&](const char* option) { return parsed[option].as<std::string>(); };
  leave_crashes(); // crashes of the library must be visible to the parent
  const Format format = find_format(values_of(parsed, "format").back());
  const library::Returned returned = library::returned_of(value("result"));
  if (parsed.count("built-in") != 0)
    return library::serve_built_in({values_of(parsed, "device").front(), value("symbol"), format,
                                    parsed.count("build-options") != 0 ? value("build-options") : "", returned},
                                   support::Descriptor(channel), support::Descriptor(memory));
  const int lanes = parsed.count("lanes") != 0 ? request::parse_integer(value("lanes"), "--lanes", 2, 16) : 1;
  library::serve_library({value("library"), value("symbol"), format, parsed.count("flags") != 0, returned,
                          static_cast<std::size_t>(lanes),
                          parsed.count("operands") != 0 ? std::size_t(2) : std::size_t(1)},
                         support::Descriptor(channel), support::Descriptor(memory));
}

} // namespace tmd::app
