#include "output/atomic_file.hpp"

#include "error.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace tmd {

AtomicFile::AtomicFile(std::filesystem::path target) : target_(std::move(target)), aside_(target_) {
  if (std::filesystem::is_directory(target_)) {
    errno = EISDIR;
    fail("write");
  }
  aside_ += ".XXXXXX";
  std::string name = aside_.string();
  descriptor_ = ::mkstemp(name.data());
  if (descriptor_ < 0)
    fail("write");
  aside_ = name;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  (void)::fchmod(descriptor_, 0666 & ~mask);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0)
    return;
  ::close(descriptor_);
  ::unlink(aside_.c_str());
}

void AtomicFile::commit(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno != EINTR)
      fail("write");
    text.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
  }
  if (::fsync(descriptor_) != 0)
    fail("sync");
  if (::rename(aside_.c_str(), target_.c_str()) != 0)
    fail("rename");
  ::close(descriptor_);
  descriptor_ = -1;
}

void AtomicFile::fail(std::string_view doing) const {
  throw UsageError(fmt::format("cannot {} '{}': {}", doing, target_.string(), std::strerror(errno)));
}

} // namespace tmd
