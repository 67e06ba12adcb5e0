// How a file appears at once: the text is written to a file without a name, or with a temporary one, beside the target;
// it is synced, linked or renamed into place.

#include "support/atomic_file.hpp"

#include "support/write_error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <system_error>
#include <utility>

namespace tmd::support {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& target, const std::string& reason) {
  throw UsageError(fmt::format("cannot write '{}': {}", target.string(), reason));
}

// Reports an error before anything was written: another name may help, unless the disk is full.
[[noreturn]] void fail(const fs::path& target, int error) {
  if (error == ENOSPC || error == EDQUOT || error == EIO)
    throw WriteError(fmt::format("cannot write '{}': {}", target.string(), std::strerror(error)));
  fail(target, std::strerror(error));
}

[[noreturn]] void fail_writing(const fs::path& target, int error) {
  throw WriteError(fmt::format("cannot write '{}': {}", target.string(), std::strerror(error)));
}

// The present temporary file, for signal handlers that end the program, which can reach nothing else.
std::array<char, PATH_MAX> unfinished{}; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> is_unfinished = false; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

std::atomic<bool> is_noted = false; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

void note(const std::string& name) {
  if (!is_noted || name.size() >= unfinished.size()) // file names are shorter
    return;
  std::copy(name.begin(), name.end() + 1, unfinished.begin());
  is_unfinished = true;
}

std::string random_letters() {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  constexpr int count = 6;
  std::random_device random;
  std::string text;
  for (int i = 0; i < count; ++i)
    text += letters[random() % letters.size()];
  return text;
}

// Writes the text. False, with errno set, on failure.
using Writer = std::function<bool(const Descriptor&)>;

// A new file with a name of its own, which the destructor removes unless it was renamed. One at a time.
class TemporaryFile {
public:
  // Makes the file beside the target, which the user calls `shown`. It has no name if that is possible: then not even
  // SIGKILL leaves it behind.
  TemporaryFile(const fs::path& target, const fs::path& shown) : target_(target) {
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    descriptor_ = Descriptor(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, everybody));
    if (descriptor_.is_open())
      return;
    if (!create()) { // its errno says why, whatever the file system lacks
      const int error = errno;
      is_unfinished = false;
      fail(shown, error);
    }
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (!name_.empty())
      ::unlink(name_.c_str());
    is_unfinished = false;
  }

  // False, with errno set, on failure.
  [[nodiscard]] bool become(const Writer& text) {
    if (!fill(text))
      return false;
    if (name_.empty() && !link() && (!create() || !fill(text))) // without /proc a file cannot be linked
      return false;
    if (::rename(name_.c_str(), target_.c_str()) != 0)
      return false;
    name_.clear();
    return true;
  }

private:
  static constexpr mode_t everybody = 0666; // the umask takes away

  void choose_name() {
    name_ = target_.string() + "." + random_letters();
    note(name_); // before there is a file: a signal may come at any moment
  }
  // Makes a file with a name.
  [[nodiscard]] bool create() {
    do {
      choose_name();
      descriptor_ = Descriptor(::open(name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, everybody));
    } while (!descriptor_.is_open() && errno == EEXIST);
    return descriptor_.is_open();
  }
  [[nodiscard]] bool fill(const Writer& text) const { return text(descriptor_) && ::fsync(descriptor_.number()) == 0; }
  // Gives a name to a file without one.
  [[nodiscard]] bool link() {
    const std::string itself = fmt::format("/proc/self/fd/{}", descriptor_.number());
    do
      choose_name();
    while (::linkat(AT_FDCWD, itself.c_str(), AT_FDCWD, name_.c_str(), AT_SYMLINK_FOLLOW) != 0 && errno == EEXIST);
    return ::access(name_.c_str(), F_OK) == 0;
  }

  fs::path target_;
  std::string name_; // empty: it has none
  Descriptor descriptor_;
};

// Whether the target is the file that standard output leads to: it must not be replaced.
bool leads_to_standard_output(const fs::path& target) {
  struct stat wanted {};
  struct stat output {};
  return ::stat(target.c_str(), &wanted) == 0 && ::fstat(STDOUT_FILENO, &output) == 0 &&
         wanted.st_dev == output.st_dev && wanted.st_ino == output.st_ino;
}

// The end of a chain of symbolic links, even if there is no file yet. The chain ends: stat() has followed it.
fs::path follow_links(fs::path path) {
  std::error_code error;
  while (fs::is_symlink(path, error) && !error)
    path = path.parent_path() / fs::read_symlink(path, error);
  return path;
}

// Also for root, who may write everything: a user who makes a file read-only does not want it replaced.
void refuse_read_only(const fs::path& target) {
  struct stat status {};
  constexpr mode_t anybody_may_write = 0222;
  const bool writable = ::access(target.c_str(), W_OK) == 0;
  if (!writable && errno != EACCES)
    fail(target, errno);
  if (!writable || (::stat(target.c_str(), &status) == 0 && (status.st_mode & anybody_may_write) == 0))
    fail(target, "it is read-only");
}

Descriptor standard_output(const fs::path& shown) {
  Descriptor output(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
  if (!output.is_open())
    fail(shown, errno);
  return output;
}

} // namespace

AtomicFile::AtomicFile(const fs::path& target) : shown_(target), target_(target) {
  if (target == "-") {
    kind_ = Kind::standard_output;
    if ((::fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) == O_RDONLY) // standard output was closed
      fail(target, EBADF);
    output_ = standard_output(shown_);
    return;
  }
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (!fs::status_known(status))
    fail(target, error.value());
  if (target.filename().empty() || fs::is_directory(status))
    fail(target, target.empty() ? ENOENT : EISDIR);
  if (leads_to_standard_output(target)) {
    kind_ = Kind::standard_output;
    output_ = standard_output(shown_);
  } else if (fs::exists(status) && !fs::is_regular_file(status)) {
    kind_ = Kind::as_it_stands;
    if (::access(target.c_str(), W_OK) != 0)
      fail(target, errno);
  } else {
    if (fs::exists(status))
      refuse_read_only(target);
    if (fs::path whole = fs::weakly_canonical(fs::absolute(follow_links(target), error), error); !error)
      target_ = std::move(whole);
    const TemporaryFile trial(target_, shown_);
  }
}

void AtomicFile::commit(std::string_view content) const {
  commit([&](const TextSink& sink) { sink(content); });
}

void AtomicFile::commit(const TextSource& content) const {
  struct Failed {
    int error;
  };
  const auto write = [&](const Descriptor& file) {
    constexpr std::size_t much = std::size_t(1) << 20;
    std::string waiting;
    const auto flush = [&] {
      if (!file.write(waiting))
        throw Failed{errno};
      waiting.clear();
    };
    try {
      pack(content, packing_of(shown_), [&](std::string_view piece) {
        waiting += piece;
        if (waiting.size() >= much)
          flush();
      });
      flush();
      return true;
    } catch (const Failed& failed) {
      errno = failed.error;
      return false;
    }
  };
  if (kind_ == Kind::standard_output) {
    std::fflush(stdout); // earlier output comes first
    if (!write(output_))
      fail_writing(shown_, errno);
  } else if (kind_ == Kind::as_it_stands) {
    const Descriptor target(::open(target_.c_str(), O_WRONLY | O_CLOEXEC));
    if (!target.is_open() || !write(target))
      fail_writing(shown_, errno);
  } else {
    TemporaryFile aside(target_, shown_);
    if (!aside.become(write))
      fail_writing(shown_, errno);
  }
}

void AtomicFile::note_unfinished() noexcept { is_noted = true; }

void AtomicFile::remove_unfinished() noexcept {
  if (is_unfinished)
    ::unlink(unfinished.data());
}

bool AtomicFile::same_target(const AtomicFile& other) const {
  return target_ == other.target_ && kind_ == other.kind_ && (kind_ == Kind::regular || target_ == "-");
}

} // namespace tmd::support
