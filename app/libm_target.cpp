// For each kind of target a function reads its options, refuses those of other kinds, and makes an opener for threads.
#include "libm_target.hpp"

#include "commands.hpp"
#include "options.hpp"

#include "function/function.hpp"
#include "function/pairs.hpp"
#include "library/built_in_function.hpp"
#include "library/c_type.hpp"
#include "library/command_process.hpp"
#include "library/library_process.hpp"
#include "library/library_target.hpp"
#include "library/opencl_bounds.hpp"
#include "library/vector_call.hpp"
#include "opencl/device.hpp"
#include "support/child_process.hpp"
#include "tmd/error.hpp"

#include <chrono>
#include <memory>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace tmd::app {

namespace {

// The parsed options of a target.
class Given {
public:
  explicit Given(const cxxopts::ParseResult& parsed) : parsed_(parsed) {}

  [[nodiscard]] bool has(const char* option) const { return parsed_.count(option) != 0; }
  [[nodiscard]] std::string value(const char* option) const { return parsed_[option].as<std::string>(); }
  [[nodiscard]] std::vector<std::string> values(const char* option) const { return values_of(parsed_, option); }
  [[nodiscard]] std::chrono::seconds patience() const {
    return std::chrono::seconds(has("timeout") ? request::parse_integer(value("timeout"), "--timeout", 1, 3600) : 5);
  }
  [[nodiscard]] std::size_t lanes() const {
    return has("lanes") ? static_cast<std::size_t>(request::parse_integer(value("lanes"), "--lanes", 2, 16)) : 1;
  }
  // Throws UsageError if one of these options is given.
  void refuse(std::initializer_list<const char*> options, std::string_view beside) const {
    for (const char* option : options)
      if (has(option))
        throw UsageError(fmt::format("--{} has no effect {}", option, beside));
  }

private:
  const cxxopts::ParseResult& parsed_;
};

library::Returned result_asked(const Given& given, const std::string& symbol, const function::Function& function) {
  return given.has("result") ? library::returned_of(given.value("result"))
                             : library::returned_by(symbol, function.name);
}

// The target with that result in its title and its records.
LibmTarget with_result(library::Returned returned, LibmTarget target) {
  if (returned == library::Returned::value)
    return target;
  target.text += fmt::format(", its {} result", library::to_string(returned));
  target.keys["result"] = library::to_string(returned);
  return target;
}

// A function of a shared library, a vector variant of it, or a function of two variables.
LibmTarget library_function(const Given& given, const std::string& library, const std::string& symbol,
                            library::Returned returned, const Format& format, std::size_t lanes = 1,
                            std::size_t operands = 1) {
  const library::LibraryTarget called{
      library, symbol, format, returned, lanes, operands, given.has("flags"), given.has("nearest"), given.patience()};
  LibmTarget target{fmt::format("{} of {}, {}", symbol, library, format.name),
                    {{"library", library}, {"symbol", symbol}},
                    library::open_library(called, support::this_program),
                    called.flags};
  if (lanes > 1)
    target.keys["lanes"] = lanes;
  return with_result(returned, std::move(target));
}

LibmTarget library_function(const Given& given, const function::Function& function, const Format& format) {
  given.refuse({"directions"}, "without --command");
  const std::string symbol = given.has("symbol") ? given.value("symbol") : library::c_name(function, format);
  if (!given.has("lanes"))
    return library_function(given, given.value("library"), symbol, result_asked(given, symbol, function), format);
  given.refuse({"flags", "result"}, "with --lanes");
  if (format.name != "binary32" && format.name != "binary64")
    throw UsageError(fmt::format("--lanes: vectors are of binary32 or binary64, not of {}", format.name));
  const std::size_t lanes = given.lanes();
  const std::string derived = library::vector_name(symbol, lanes, library::size_of(format));
  return library_function(given, given.value("library"), given.has("symbol") ? symbol : derived,
                          library::Returned::value, format, lanes);
}

LibmTarget command(const Given& given, const Format& format) {
  given.refuse({"library", "symbol", "flags", "lanes", "nearest", "result"}, "with --command");
  const std::string text = given.value("command");
  return {fmt::format("{}, {}", text, format.name),
          {{"library", nullptr}, {"symbol", nullptr}, {"command", text}},
          [=, patience = given.patience(), directions = given.has("directions")] {
            return std::make_unique<library::CommandProcess>(text, format, directions, patience);
          }};
}

LibmTarget built_in(const Given& given, const function::Function& function, const Format& format) {
  given.refuse({"library", "command", "directions", "flags", "lanes", "nearest"}, "with --built-in");
  const std::vector<std::string> selectors = given.values("device");
  if (selectors.size() > 1)
    throw UsageError("--built-in needs exactly one --device");
  const auto devices = opencl::list_devices();
  const opencl::DeviceDescription& device = opencl::select_device(devices, selectors.empty() ? "" : selectors.front());
  const std::string name = given.has("symbol") ? given.value("symbol") : function.name;
  const std::string options = given.has("build-options") ? given.value("build-options") : "";
  const library::Returned returned = result_asked(given, name, function);
  Arguments arguments =
      library::served(name, returned, format, {"--built-in", "--device", std::to_string(device.index)});
  if (!options.empty())
    arguments.push_back("--build-options=" + options);
  const library::LibraryProcess::Manner manner{library::size_of(format), library::ServedBuiltIn::together, true, true,
                                               given.patience()};
  return with_result(
      returned, {fmt::format("{} of {}, {}", name, device.name, format.name),
                 {{"library", nullptr}, {"symbol", name}, {"device", device.name}, {"build_options", options}},
                 [=] { return std::make_unique<library::LibraryProcess>(support::this_program, arguments, manner); },
                 false,
                 library::built_in_promise(name, format, device.profile == "EMBEDDED_PROFILE", options)});
}

} // namespace

void add_target_options(cxxopts::Options& options) {
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add("library", "the library, as the dynamic linker finds it: libm.so.6, ./libm.so", text(), "FILE");
  add("symbol", "its function (default: C's name of FUNCTION in the type of the format)", text(), "NAME");
  add("result", "which of the two results of sincos and its like: first or second (default: FUNCTION's)", text(),
      "WHICH");
  add("command", "instead of a library: a program that reads a hexadecimal number a line, and writes one", text(),
      "COMMAND");
  add("directions", "behind each number the command reads nearest, upward, downward or toward-zero");
  add("built-in", "instead of a library: the function of OpenCL C that a device (--device) has");
  add("build-options", "for OpenCL's compiler: -cl-fast-relaxed-math", text(), "OPTIONS");
  add("against", "also call this library's function: where the two differ, and which is right", text(),
      "LIBRARY[:SYMBOL]");
  add("lanes", "call its variant for vectors of N numbers, such as _ZGVdN4v_exp", text(), "N");
  add("nearest", "call it only while results are rounded to nearest");
  add("flags", "look at exception flags and errno after each call, too");
  add("timeout", "seconds after which a call counts as a hang (default: 5)", text(), "SECONDS");
}

LibmTarget libm_target(const cxxopts::ParseResult& parsed, const function::Function& function, const Format& format) {
  const Given given(parsed);
  if (given.has("built-in"))
    return built_in(given, function, format);
  given.refuse({"build-options"}, "without --built-in");
  if (given.has("command"))
    return command(given, format);
  if (!given.has("library"))
    throw UsageError("--library is missing, or --command, or --built-in");
  return library_function(given, function, format);
}

LibmTarget libm_target(const cxxopts::ParseResult& parsed, const function::PairFunction& function,
                       const Format& format) {
  const Given given(parsed);
  given.refuse({"built-in", "command", "directions", "build-options", "lanes", "flags", "against", "result"},
               "with a function of two variables");
  if (!given.has("library"))
    throw UsageError("--library is missing");
  const std::string symbol = given.has("symbol") ? given.value("symbol") : library::c_name(function.name, format);
  return library_function(given, given.value("library"), symbol, library::Returned::value, format, 1, 2);
}

std::optional<LibmTarget> libm_other_target(const cxxopts::ParseResult& parsed, const function::Function& function,
                                            const Format& format) {
  const Given given(parsed);
  if (!given.has("against"))
    return std::nullopt;
  const std::string text = given.value("against");
  const auto colon = text.rfind(':');
  const std::string symbol = colon != std::string::npos ? text.substr(colon + 1) : library::c_name(function, format);
  return library_function(given, text.substr(0, colon), symbol, library::returned_by(symbol, function.name), format);
}

} // namespace tmd::app
