// Compressed files: written by name, read by their first bytes, the same bytes for the same text.
#include "host/support/compressed_file.hpp"
#include "host/support/atomic_file.hpp"
#include "temporary_folder.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace tmd::support {

namespace fs = std::filesystem;

namespace {

// A text longer than the buffers, in which no line is repeated.
std::string long_text() {
  std::string text;
  for (int i = 0; i < 12000; ++i)
    text += "0x1." + std::to_string(i * 7919) + "p+0\n";
  return text;
}

} // namespace

TEST_CASE("the name says what a file is packed with") {
  CHECK(packing_of("exp.wc") == Packing::none);
  CHECK(packing_of("exp.wc.xz") == Packing::xz);
  CHECK(packing_of("results.gz/exp.jsonl") == Packing::none);
  CHECK(packing_of("results/exp.jsonl.gz") == Packing::gzip);
  CHECK(packing_of(".xz") == Packing::none); // the name has no ending
  CHECK(packing_of("-") == Packing::none);
}

TEST_CASE("what is packed is what was there, long or short, and the same every time") {
  const TemporaryFolder folder;
  for (const Packing packing : {Packing::none, Packing::gzip, Packing::xz})
    for (const std::string& text : {std::string(), std::string("0x1p+0\n"), std::string(3, '\0'), long_text()}) {
      CAPTURE(static_cast<int>(packing));
      CAPTURE(text.size());
      const std::string packed = pack(text, packing);
      CHECK(packed == pack(text, packing));
      CHECK((packing == Packing::none) == (packed == text));
      if (text.size() > 1000 && packing != Packing::none)
        CHECK(packed.size() < text.size() / 2);
      const fs::path file = folder.path() / "file";
      std::ofstream(file, std::ios::binary | std::ios::trunc) << packed;
      CHECK(read_file(file) == text);
      std::ofstream(file, std::ios::binary | std::ios::app) << packed; // several members, one after the other
      CHECK(read_file(file) == text + text);
    }
}

TEST_CASE("a gzip header has no time and no name") {
  const std::string packed = pack("text", Packing::gzip);
  REQUIRE(packed.size() > 10);
  CHECK(packed.substr(0, 8) == std::string("\x1f\x8b\x08\0\0\0\0\0", 8)); // deflate; no flags; MTIME 0
}

TEST_CASE("what is cut off or damaged is refused, not read as less") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "file";
  for (const Packing packing : {Packing::gzip, Packing::xz}) {
    const std::string packed = pack(long_text(), packing);
    for (const std::size_t size : {packed.size() - 1, packed.size() / 2, std::size_t(12)}) {
      CAPTURE(size);
      std::ofstream(file, std::ios::binary | std::ios::trunc) << packed.substr(0, size);
      CHECK_THROWS_AS((void)read_file(file), UsageError);
    }
    std::string damaged = packed;
    damaged[damaged.size() / 2] ^= 1;
    std::ofstream(file, std::ios::binary | std::ios::trunc) << damaged;
    CHECK_THROWS_AS((void)read_file(file), UsageError);
  }
}

TEST_CASE("a file is packed as the user has named it, whatever its link leads to") {
  const TemporaryFolder folder;
  const std::string text = long_text();
  AtomicFile(folder.path() / "list.wc.xz").commit(text);
  CHECK(contents(folder.path() / "list.wc.xz") == pack(text, Packing::xz));
  CHECK(read_file(folder.path() / "list.wc.xz") == text);
  AtomicFile(folder.path() / "list.wc.gz").commit(text);
  CHECK(contents(folder.path() / "list.wc.gz") == pack(text, Packing::gzip));
  fs::create_symlink("list.wc.gz", folder.path() / "plain");
  AtomicFile(folder.path() / "plain").commit(text);
  CHECK(contents(folder.path() / "list.wc.gz") == text);
  fs::create_symlink("file", folder.path() / "link.xz");
  AtomicFile(folder.path() / "link.xz").commit(text);
  CHECK(contents(folder.path() / "file") == pack(text, Packing::xz));
}

} // namespace tmd::support
