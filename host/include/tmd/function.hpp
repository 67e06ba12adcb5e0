// The functions that can be searched.
#pragma once

#include "tmd/api.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tmd {

// Where a function is defined on the real line. An infinite end is never included.
struct Domain {
  double lower;
  bool lower_included;
  double upper;
  bool upper_included;
  std::string text; // "x > 0"
};

// What the value at −x is: f(x) of an even function, −f(x) of an odd one.
enum class Symmetry { none, even, odd };

[[nodiscard]] TMD_API std::string_view to_string(Symmetry symmetry);

struct FunctionInfo {
  std::string name;
  std::string description;
  Domain domain; // of an expression every x, whatever its values are
  Symmetry symmetry = Symmetry::none;
  std::string exact_cases; // where values are breakpoints, in words that follow "exact where"
  std::string theorem;     // why these are the exact cases, or what is not known
  std::string scaling;     // "f(8x) = 2 f(x)", an identity by which some arguments decide the others; empty: none
};

// Functions with an integer parameter, asked for as NAME:N.
struct FamilyInfo {
  std::string name;
  std::string description;
  std::string parameter; // what N may be
};

// All but the families' members, sorted by name.
[[nodiscard]] TMD_API std::vector<FunctionInfo> list_functions();
[[nodiscard]] TMD_API std::vector<FamilyInfo> list_families();

// A function by its name, a member of a family by NAME:N, or an expression of them in x, such as "exp(x)/x". Throws
// UsageError for what is none of these.
[[nodiscard]] TMD_API FunctionInfo describe_function(std::string_view text);

} // namespace tmd
