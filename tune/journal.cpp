#include "tune/journal.hpp"

#include "error.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::tune {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

[[noreturn]] void fail(const fs::path& file, const std::string& reason) {
  throw UsageError(fmt::format("cannot write the journal '{}': {}", file.string(), reason));
}

// Opens a file that nobody else may open meanwhile, and the folder around it where there is none.
int open_alone(const fs::path& file) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0)
    fail(file, error ? error.message() : std::strerror(errno));
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    ::close(descriptor);
    fail(file, "another tmd tunes the same device");
  }
  return descriptor;
}

} // namespace

std::optional<fs::path> journal_folder() {
  for (const auto& [variable, inside] : {std::pair("XDG_CACHE_HOME", ""), {"HOME", ".cache"}})
    if (const char* value = std::getenv(variable); value != nullptr && *value == '/')
      return fs::path(value) / inside / "tmd" / "tune";
  return std::nullopt;
}

Journal::Journal(const fs::path& folder, const std::string& name, const std::string& subject, bool fresh)
    : file_(folder / fmt::format("{}-{}.jsonl", name, digest(subject))), descriptor_(open_alone(file_)) {
  std::ifstream stream(file_, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  const Json heading{{"type", "journal"}, {"subject", subject}};
  // Another subject with the same digest, or no journal at all.
  if (fresh || text.substr(0, text.find('\n')) != heading.dump()) {
    if (::ftruncate(descriptor_, 0) != 0)
      fail(file_, std::strerror(errno));
    write_line(heading.dump());
    return;
  }
  if (!text.ends_with('\n'))
    write_line(""); // what is torn stays a line of its own
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const Json json = Json::parse(text.substr(begin, end - begin), nullptr, false);
    if (Trial trial; from_json(json, trial))
      trials_.push_back(trial);
    begin = end + 1;
  }
}

Journal::~Journal() { ::close(descriptor_); }

void Journal::append(const Trial& trial) {
  write_line(to_json(trial).dump(-1, ' ', true, Json::error_handler_t::replace));
}

void Journal::write_line(const std::string& line) const {
  const std::string whole = line + "\n";
  if (::write(descriptor_, whole.data(), whole.size()) != static_cast<ssize_t>(whole.size()))
    fail(file_, std::strerror(errno));
}

std::string digest(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

std::string file_name_of(std::string_view text) {
  std::string name;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!name.empty() && name.back() != '-')
      name += '-';
  }
  while (!name.empty() && name.back() == '-')
    name.pop_back();
  return name.substr(0, 100);
}

} // namespace tmd::tune
