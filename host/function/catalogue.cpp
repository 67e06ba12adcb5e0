#include "function/catalogue.hpp"

#include "function/bessel.hpp"
#include "function/error_function.hpp"
#include "function/exponential.hpp"
#include "function/gamma.hpp"
#include "function/hyperbolic.hpp"
#include "function/inverse_trigonometric.hpp"
#include "function/logarithm.hpp"
#include "function/pairs.hpp"
#include "function/power.hpp"
#include "function/trigonometric.hpp"
#include "support/text.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

namespace tmd::function {

namespace {

std::vector<Function> make_catalogue() {
  std::vector<Function> all;
  for (const auto family :
       {bessel_functions, error_functions, exponential_functions, gamma_functions, hyperbolic_functions,
        inverse_trigonometric_functions, logarithm_functions, power_functions, trigonometric_functions})
    for (Function& function : family())
      all.push_back(std::move(function));
  std::sort(all.begin(), all.end(), [](const Function& a, const Function& b) { return a.name < b.name; });
  return all;
}

std::optional<long> parse(std::string_view text) {
  long value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  return error == std::errc() && end == last ? std::optional(value) : std::nullopt;
}

// Made at the first call and kept, so that references stay valid.
const Function& member(const FunctionFamily& family, std::string_view parameter) {
  const std::optional<long> n = parse(parameter);
  if (!n || *n < family.least || *n > family.greatest || !family.has(*n))
    throw UsageError(fmt::format("{}:N: N must be {}{}", family.name, family.parameter,
                                 parameter.empty() ? "" : fmt::format("; got '{}'", parameter)));
  static std::mutex mutex;
  static std::map<std::string, Function> members;
  const std::lock_guard lock(mutex);
  Function made = family.member(*n);
  made.is_in_c = false;
  const std::string name = made.name;
  return members.try_emplace(name, std::move(made)).first->second;
}

} // namespace

std::span<const Function> functions() {
  static const std::vector<Function> catalogue = make_catalogue();
  return catalogue;
}

std::span<const FunctionFamily> function_families() {
  static const std::vector<FunctionFamily> families = power_families();
  return families;
}

const Function& find_function(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Function& function : functions()) {
    if (function.name == name)
      return function;
    names.push_back(function.name);
  }
  const auto colon = name.find(':');
  for (const FunctionFamily& family : function_families()) {
    if (family.name == name.substr(0, colon))
      return member(family, colon == std::string_view::npos ? std::string_view() : name.substr(colon + 1));
    names.push_back(family.name);
  }
  if (const PairFunction* pair = find_pair_function(name))
    throw UsageError(fmt::format("{} has two variables, which only `tmd search`, `tmd check`, `tmd show` and `tmd "
                                 "libm` take: fix one of them, as in {}",
                                 name, pair->with_one_fixed));
  throw UsageError(
      fmt::format("unknown function '{}'; `tmd functions` lists them{}", name, support::did_you_mean(name, names)));
}

std::vector<const Function*> companions_of(const Function& function) {
  std::vector<const Function*> companions;
  for (const Function& other : functions())
    if (function.phase && other.phase && other.name != function.name && function.phase->is_walked_with(*other.phase))
      companions.push_back(&other);
  return companions;
}

} // namespace tmd::function
