// tmd/function.hpp: descriptions from the catalogue, without computations.
#include "tmd/function.hpp"

#include "function/catalogue.hpp"
#include "function/expression.hpp"

namespace tmd {

namespace {

FunctionInfo info_of(const function::Function& function) {
  return {function.name,
          function.description,
          function.domain,
          function.symmetry,
          function.exact_cases,
          function.theorem,
          function.scaling ? function::to_string(*function.scaling) : ""};
}

} // namespace

std::vector<FunctionInfo> list_functions() {
  std::vector<FunctionInfo> list;
  for (const function::Function& function : function::functions())
    list.push_back(info_of(function));
  return list;
}

std::vector<FamilyInfo> list_families() {
  std::vector<FamilyInfo> list;
  for (const function::FunctionFamily& family : function::function_families())
    list.push_back({family.name, family.description, family.parameter});
  return list;
}

FunctionInfo describe_function(std::string_view text) { return info_of(*function::function_of(text)); }

} // namespace tmd
