// The kernels' sources: their digest depends on every name and byte, and this program knows its own.
#include "host/opencl/kernel_files.hpp"
#include "host/support/installed_files.hpp"
#include "host/support/sha256.hpp"
#include "temporary_folder.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace tmd::opencl {

using opencl::KernelFiles;
namespace fs = std::filesystem;

namespace {

void write_kernel(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

// The message that refuses kernels which are not this program's.
std::string refusal() {
  try {
    (void)opencl::use_kernels(false);
  } catch (const DeviceError& error) {
    return error.what();
  }
  FAIL("foreign kernels are used");
  return {};
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("kernel files: the digest is that of a list of files, as sha256sum prints it") {
  const TemporaryFolder folder;
  write_kernel(folder.path() / "b.cl", "kernel");
  write_kernel(folder.path() / "a" / "c.clh", "shared\n");
  write_kernel(folder.path() / "a-z" / "d.clh", ""); // it comes after "a/", although '-' is before '/'
  const std::string lines = support::sha256("") + "  a-z/d.clh\n" + support::sha256("shared\n") + "  a/c.clh\n" +
                            support::sha256("kernel") + "  b.cl\n";
  const std::string digest = KernelFiles(folder.path()).digest();
  CHECK(digest == support::sha256(lines).substr(0, 16));
  // Other files do not count.
  write_kernel(folder.path() / "b.cl.orig", "before");
  write_kernel(folder.path() / ".clang-format", "form");
  CHECK(KernelFiles(folder.path()).digest() == digest);
  CHECK_THROWS_AS(KernelFiles(folder.path() / "missing"), DeviceError);
}

TEST_CASE("kernel files: includes are replaced by the files as they were read") {
  const TemporaryFolder folder;
  write_kernel(folder.path() / "wide" / "a.cl", "first\n#include \"../common/b.clh\"\nlast");
  write_kernel(folder.path() / "common" / "b.clh", "of b\n");
  const KernelFiles files(folder.path());
  write_kernel(folder.path() / "common" / "b.clh", "changed\n");
  CHECK(files.source("wide/a.cl") ==
        "#line 1 \"wide/a.cl\"\nfirst\n#line 1 \"common/b.clh\"\nof b\n#line 3 \"wide/a.cl\"\nlast\n");
  CHECK_THROWS_AS((void)files.source("wide/c.cl"), DeviceError);
  CHECK(KernelFiles(folder.path()).digest() != files.digest());
}

TEST_CASE("kernel files: this program uses its own, and others only when they are wanted") {
  const TemporaryVariable own("TMD_KERNEL_PATH", std::nullopt);
  const opencl::KernelUse used = opencl::use_kernels(false);
  CHECK(used.digest == opencl::own_kernel_digest());
  CHECK_FALSE(used.foreign);
  CHECK(to_string(used) == used.digest);

  const fs::path kernels = support::kernel_folder();
  const TemporaryFolder folder;
  const fs::path copy = folder.path() / "kernels";
  const TemporaryVariable variable("TMD_KERNEL_PATH", copy.string());
  const auto again = [&] {
    fs::remove_all(copy);
    fs::copy(kernels, copy, fs::copy_options::recursive);
  };
  again();
  CHECK_FALSE(opencl::use_kernels(false).foreign);

  const auto one_byte = [&] {
    std::string text = contents(copy / "wide" / "lines.clh");
    text.back() = ' '; // in place of an end of line
    write_kernel(copy / "wide" / "lines.clh", text);
  };
  const auto added = [&] { write_kernel(copy / "wide" / "more.clh", ""); };
  const auto missing = [&] { fs::remove(copy / "bench" / "integer_division.cl"); };
  const auto renamed = [&] { fs::rename(copy / "bench" / "fp64_division.cl", copy / "bench" / "fp64.cl"); };
  const auto exchanged = [&] {
    fs::rename(copy / "wide" / "parts.cl", copy / "wide" / "third.cl");
    fs::rename(copy / "wide" / "scalar.cl", copy / "wide" / "parts.cl");
    fs::rename(copy / "wide" / "third.cl", copy / "wide" / "scalar.cl");
  };
  const auto all = [&](const auto& change) {
    again();
    fs::permissions(copy / "wide" / "lines.clh", fs::perms::owner_write, fs::perm_options::add);
    change();
    const std::string sentence = refusal();
    CHECK(has(sentence, "build (or install) it again, or give --foreign-kernels"));
    CHECK(has(sentence, copy.string()));
    CHECK(has(sentence, std::string(opencl::own_kernel_digest())));
    const opencl::KernelUse foreign = opencl::use_kernels(true);
    CHECK(foreign.foreign);
    CHECK(foreign.digest != used.digest);
    CHECK(has(sentence, foreign.digest));
    CHECK(has(to_string(foreign), "foreign"));
  };
  SUBCASE("a byte is another one") { all(one_byte); }
  SUBCASE("an empty file more") { all(added); }
  SUBCASE("a file less") { all(missing); }
  SUBCASE("another name") { all(renamed); }
  SUBCASE("two files exchanged") { all(exchanged); }
}

} // namespace tmd::opencl
