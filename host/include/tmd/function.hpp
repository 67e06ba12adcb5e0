// The functions that can be searched.
#pragma once

#include "tmd/api.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tmd {

// The part of the real line on which a function is defined. An infinite end is never included.
struct Domain {
  double lower;
  bool lower_included;
  double upper;
  bool upper_included;
  std::string text; // "x > 0"
};

// The value at −x: f(x) for even functions, −f(x) for odd ones.
enum class Symmetry { none, even, odd };

[[nodiscard]] TMD_API std::string_view to_string(Symmetry symmetry);

struct FunctionInfo {
  std::string name;
  std::string description;
  Domain domain; // every x for an expression, wherever it has values
  Symmetry symmetry = Symmetry::none;
  std::string exact_cases; // in words that follow "exact where"
  std::string theorem;     // the theorem behind these, or what is not known
  std::string scaling; // an identity by which some arguments decide the others, such as "f(8x) = 2 f(x)"; may be empty
};

// Functions with an integer parameter, written NAME:N.
struct FamilyInfo {
  std::string name;
  std::string description;
  std::string parameter; // the values that N may have
};

// All functions except members of families, sorted by name.
[[nodiscard]] TMD_API std::vector<FunctionInfo> list_functions();
[[nodiscard]] TMD_API std::vector<FamilyInfo> list_families();

// A function by its name, a member NAME:N of a family, or an expression in x such as "exp(x)/x". Throws UsageError for
// any other text.
[[nodiscard]] TMD_API FunctionInfo describe_function(std::string_view text);

} // namespace tmd
