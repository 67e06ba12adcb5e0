#include "support/scratch_file.hpp"

#include "support/write_error.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/types.h>
#include <unistd.h>

namespace tmd {

namespace {

constexpr mode_t owner_only = 0600;

std::filesystem::path temporary_folder() {
  const char* asked = std::getenv("TMPDIR");
  return asked == nullptr || *asked == '\0' ? "/tmp" : asked;
}

} // namespace

void ScratchFile::fail(const char* what, int error) const {
  throw WriteError(fmt::format("cannot {} a temporary file in '{}': {}; TMPDIR can name another folder", what,
                               folder_.string(), std::strerror(error)));
}

void ScratchFile::open() {
  folder_ = temporary_folder();
  descriptor_ = Descriptor(::open(folder_.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, owner_only));
  if (descriptor_.is_open())
    return;
  std::string name = (folder_ / "tmd.XXXXXX").string(); // where the file system has no files without a name
  descriptor_ = Descriptor(::mkostemp(name.data(), O_CLOEXEC));
  if (!descriptor_.is_open() || ::unlink(name.c_str()) != 0)
    fail("create", errno);
}

std::uint64_t ScratchFile::reserve(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (!descriptor_.is_open())
    open();
  return std::exchange(size_, size_ + bytes);
}

void ScratchFile::write(std::uint64_t offset, std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(descriptor_.number(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      fail("write", written < 0 ? errno : ENOSPC);
    offset += static_cast<std::uint64_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void ScratchFile::read(std::uint64_t offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t got = ::pread(descriptor_.number(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      fail("read", got < 0 ? errno : EIO);
    offset += static_cast<std::uint64_t>(got);
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

} // namespace tmd
