// The errors that OpenCL allows its functions, by name, format and profile.
#include "host/library/opencl_bounds.hpp"

#include <doctest/doctest.h>

#include <string>

namespace tmd::library {

namespace {

std::string bound(const char* name, const char* format, bool is_embedded = false, const char* options = "") {
  return built_in_promise(name, find_format(format), is_embedded, options).value_or("open");
}

} // namespace

TEST_CASE("bounds of OpenCL's functions") {
  CHECK(bound("exp", "binary32") == "3");
  CHECK(bound("exp", "binary32", true) == "4");
  CHECK(bound("exp", "binary64", true) == "3");
  CHECK(bound("exp", "binary16") == "2");
  CHECK(bound("exp", "binary16", true) == "3");
  CHECK(bound("tgamma", "binary32") == "16");
  CHECK(bound("sqrt", "binary32") == "3");
  CHECK(bound("sqrt", "binary64") == "correct");
  CHECK(bound("sqrt", "binary32", false, "-w -cl-fp32-correctly-rounded-divide-sqrt") == "correct");
  CHECK(bound("half_tan", "binary32") == "8192");
  CHECK(bound("native_tan", "binary32") == "open");
  CHECK(bound("lgamma", "binary32") == "open");
  CHECK(bound("exp", "binary32", false, "-cl-fast-relaxed-math") == "open");
  CHECK(is_built_in("native_recip"));
  CHECK(is_built_in("cospi"));
  CHECK_FALSE(is_built_in("native_erf"));
  CHECK_FALSE(is_built_in("exp2m1"));
}

} // namespace tmd::library
