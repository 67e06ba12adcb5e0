#include "support/line_journal.hpp"

#include "error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace tmd {

LineJournal::LineJournal(std::filesystem::path file, const std::string& busy) : file_(std::move(file)) {
  std::error_code no_folder;
  if (file_.has_parent_path())
    std::filesystem::create_directories(file_.parent_path(), no_folder);
  descriptor_ = Descriptor(::open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!descriptor_.is_open())
    fail(no_folder ? no_folder.message() : std::strerror(errno));
  struct stat status {};
  if (::fstat(descriptor_.number(), &status) != 0 || !S_ISREG(status.st_mode))
    fail("it is no file");
  lock(busy);
  const std::string text = contents();
  size_ = text.rfind('\n') + 1; // 0 without any
  was_torn_ = torn_ = size_ < text.size();
}

void LineJournal::lock(const std::string& busy) const {
  constexpr int tries = 40; // two seconds: a process that was killed takes its time to be gone
  constexpr std::chrono::milliseconds rhythm(50);
  for (int i = 0; ::flock(descriptor_.number(), LOCK_EX | LOCK_NB) != 0; ++i) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      fail(std::strerror(errno));
    if (i == tries)
      fail(busy);
    std::this_thread::sleep_for(rhythm);
  }
}

std::string LineJournal::text() const {
  std::string text = contents();
  text.resize(std::min<std::size_t>(text.size(), size_));
  return text;
}

std::vector<std::string> LineJournal::lines() const {
  const std::string all = text();
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = all.find('\n', begin);
    lines.push_back(all.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

void LineJournal::append(std::string_view line) {
  if (torn_)
    cut(size_);
  std::string whole;
  whole.reserve(line.size() + 1);
  whole.append(line).push_back('\n');
  torn_ = true; // until it is whole
  if (!descriptor_.write(whole)) {
    const int error = errno;
    cut(size_);
    fail(std::strerror(error));
  }
  torn_ = false;
  size_ += whole.size();
}

void LineJournal::clear() { cut(0); }

void LineJournal::sync() {
  if (::fdatasync(descriptor_.number()) != 0)
    fail(std::strerror(errno));
}

void LineJournal::fail(const std::string& reason) const {
  throw UsageError(fmt::format("cannot write the journal '{}': {}", file_.string(), reason));
}

std::string LineJournal::contents() const {
  std::string text;
  std::array<char, 1 << 16> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
  for (;;) {
    const ssize_t count = ::pread(descriptor_.number(), buffer.data(), buffer.size(), static_cast<off_t>(text.size()));
    if (count == 0)
      return text;
    if (count > 0)
      text.append(buffer.data(), static_cast<std::size_t>(count));
    else if (errno != EINTR)
      throw UsageError(fmt::format("cannot read the journal '{}': {}", file_.string(), std::strerror(errno)));
  }
}

void LineJournal::cut(std::uint64_t size) {
  if (::ftruncate(descriptor_.number(), static_cast<off_t>(size)) != 0)
    fail(std::strerror(errno));
  size_ = size;
  torn_ = false;
}

} // namespace tmd
