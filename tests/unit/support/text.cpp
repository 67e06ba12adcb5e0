// Digests and names of files.
#include "host/support/text.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace tmd;

TEST_CASE("digests: FNV-1a's published values") {
  CHECK(digest("") == "cbf29ce484222325");
  CHECK(digest("a") == "af63dc4c8601ec8c");
  CHECK(digest("foobar") == "85944171f73967e8");
  CHECK(digest("\xff") != digest("\x7f"));
}

TEST_CASE("names of files") {
  CHECK(file_name_of("NVIDIA CUDA, H200 (x)") == "nvidia-cuda-h200-x");
  CHECK(file_name_of("../..") == "");
  CHECK(file_name_of("/etc/passwd\n") == "etc-passwd");
  CHECK(file_name_of("Gr\xc3\xbc\xc3\x9f"
                     "e") == "gr-e");
  CHECK(file_name_of(std::string(1000, 'a')) == std::string(100, 'a'));
}
