#include "support/line_journal.hpp"

#include "tmd/error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <limits>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace tmd::support {

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
  std::uint64_t all = 0;
  read(std::numeric_limits<std::uint64_t>::max(), [&](std::string_view piece) {
    if (const std::size_t end = piece.rfind('\n'); end != std::string_view::npos)
      size_ = all + end + 1;
    all += piece.size();
  });
  was_torn_ = torn_ = size_ < all;
}

void LineJournal::lock(const std::string& busy) const {
  constexpr int tries = 40; // two seconds: a killed process needs time to vanish
  constexpr std::chrono::milliseconds rhythm(50);
  for (int i = 0; ::flock(descriptor_.number(), LOCK_EX | LOCK_NB) != 0; ++i) {
    if (errno != EWOULDBLOCK && errno != EINTR)
      fail(std::strerror(errno));
    if (i == tries)
      fail(busy);
    std::this_thread::sleep_for(rhythm);
  }
}

TextSource LineJournal::text() const {
  return [this](const TextSink& sink) { read(size_, sink); };
}

std::vector<std::string> LineJournal::lines() const {
  std::vector<std::string> lines;
  each_line(text(), [&](const Line& line) { lines.emplace_back(line.text); });
  return lines;
}

void LineJournal::append(std::string_view line) {
  if (torn_)
    cut(size_);
  std::string whole;
  whole.reserve(line.size() + 1);
  whole.append(line).push_back('\n');
  torn_ = true; // until the line is complete
  if (!descriptor_.write(whole)) {
    const int error = errno;
    cut(size_);
    fail(std::strerror(error));
  }
  torn_ = false;
  size_ += whole.size();
}

void LineJournal::clear() { cut(0); }

void LineJournal::remove() const {
  std::error_code nothing_to_be_done;
  std::filesystem::remove(file_, nothing_to_be_done);
}

void LineJournal::set_aside() const {
  std::error_code failed;
  std::filesystem::rename(file_, file_.string() + ".unsound", failed);
  if (failed)
    remove();
}

void LineJournal::sync() {
  if (::fdatasync(descriptor_.number()) != 0)
    fail(std::strerror(errno));
}

void LineJournal::fail(const std::string& reason) const {
  throw UsageError(fmt::format("cannot write the journal '{}': {}", file_.string(), reason));
}

void LineJournal::read(std::uint64_t most, const TextSink& sink) const {
  std::array<char, 1 << 16> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
  for (std::uint64_t done = 0; done < most;) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), most - done));
    const ssize_t count = ::pread(descriptor_.number(), buffer.data(), wanted, static_cast<off_t>(done));
    if (count == 0)
      return;
    if (count > 0) {
      sink({buffer.data(), static_cast<std::size_t>(count)});
      done += static_cast<std::uint64_t>(count);
    } else if (errno != EINTR) {
      throw UsageError(fmt::format("cannot read the journal '{}': {}", file_.string(), std::strerror(errno)));
    }
  }
}

void LineJournal::cut(std::uint64_t size) {
  if (::ftruncate(descriptor_.number(), static_cast<off_t>(size)) != 0)
    fail(std::strerror(errno));
  size_ = size;
  torn_ = false;
}

} // namespace tmd::support
