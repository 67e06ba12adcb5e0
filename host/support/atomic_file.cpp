#include "support/atomic_file.hpp"

#include "error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

namespace tmd {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& target, int error) {
  throw UsageError(fmt::format("cannot write '{}': {}", target.string(), std::strerror(error)));
}

// An open file that is closed, and removed again if it has a name.
class Descriptor {
public:
  Descriptor(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    ::close(descriptor_);
    if (!name_.empty())
      ::unlink(name_.c_str());
  }

  // False, with errno set, when not all could be written.
  [[nodiscard]] bool write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno != EINTR)
        return false;
      text.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    return true;
  }
  [[nodiscard]] bool sync() const { return ::fsync(descriptor_) == 0; }
  [[nodiscard]] bool rename(const fs::path& target) {
    if (::rename(name_.c_str(), target.c_str()) != 0)
      return false;
    name_.clear();
    return true;
  }

private:
  int descriptor_;
  std::string name_;
};

// A new file with a name of its own beside the target, which the user calls `shown`.
Descriptor create_beside(const fs::path& target, const fs::path& shown) {
  std::string name = target.string() + ".XXXXXX";
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0)
    fail(shown, errno);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  (void)::fchmod(descriptor, 0666 & ~mask);
  return {descriptor, name};
}

// /dev/stdout, or the file that it leads to: not to be replaced by another.
bool is_standard_output(const fs::path& target) {
  struct stat wanted {};
  struct stat output {};
  return ::stat(target.c_str(), &wanted) == 0 && ::fstat(STDOUT_FILENO, &output) == 0 &&
         wanted.st_dev == output.st_dev && wanted.st_ino == output.st_ino;
}

Descriptor open_as_it_stands(const fs::path& target) {
  const int descriptor =
      is_standard_output(target) ? ::dup(STDOUT_FILENO) : ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0)
    fail(target, errno);
  return {descriptor, {}};
}

} // namespace

AtomicFile::AtomicFile(const fs::path& target) : shown_(target), target_(target) {
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (target.filename().empty() || status.type() == fs::file_type::directory)
    fail(target, target.empty() ? ENOENT : EISDIR);
  regular_ = (!fs::exists(status) || fs::is_regular_file(status)) && !is_standard_output(target);
  if (!regular_) {
    if (::access(target.c_str(), W_OK) != 0)
      fail(target, errno);
    return;
  }
  if (fs::path whole = fs::weakly_canonical(fs::absolute(target, error), error); !error)
    target_ = std::move(whole);
  create_beside(target_, shown_);
}

void AtomicFile::commit(std::string_view text) const {
  if (!regular_) {
    const Descriptor target = open_as_it_stands(target_);
    if (!target.write(text))
      fail(shown_, errno);
    return;
  }
  Descriptor aside = create_beside(target_, shown_);
  if (!aside.write(text) || !aside.sync() || !aside.rename(target_))
    fail(shown_, errno);
}

bool AtomicFile::same_target(const AtomicFile& other) const {
  return regular_ && other.regular_ && target_ == other.target_;
}

} // namespace tmd
