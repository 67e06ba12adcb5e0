// The names of files get the functions' names, so that they differ.
#include "request/each_function.hpp"

#include "request/option_error.hpp"

#include <array>
#include <tuple>

#include <fmt/format.h>

namespace tmd::request {

std::vector<SearchSpec> one_for_each_function(const SearchSpec& spec) {
  if (spec.functions.size() < 2)
    return {spec};
  std::vector<SearchSpec> result;
  for (const std::string& function : spec.functions) {
    SearchSpec& one = result.emplace_back(spec);
    one.functions = {function};
    for (const auto& [option, file] : {std::pair("wc", &one.wc), {"json", &one.json}, {"journal", &one.journal}}) {
      if (!*file)
        continue;
      std::string& name = **file;
      if (name.find(for_function) == std::string::npos)
        throw OptionError(option,
                          fmt::format("--{}: several functions need a file each: write % for the function's name, "
                                      "not '{}'",
                                      option, name));
      for (std::size_t at = name.find(for_function); at != std::string::npos;
           at = name.find(for_function, at + function.size()))
        name.replace(at, 1, function);
    }
  }
  return result;
}

} // namespace tmd::request
