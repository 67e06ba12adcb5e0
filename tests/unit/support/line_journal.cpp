// Journals of lines: incomplete ends, full disks, two writers.
#include "host/support/line_journal.hpp"
#include "temporary_folder.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <sys/resource.h>

namespace tmd::support {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

namespace {

std::string sentence_of(const fs::path& file) {
  try {
    const LineJournal journal(file, "busy");
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

// Limits the size of files that this process may write, to imitate a full disk.
class FileLimit {
public:
  explicit FileLimit(rlim_t bytes) {
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &now) == 0);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;
  ~FileLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

private:
  rlimit before_{};
  void (*handler_)(int) = SIG_DFL;
};

} // namespace

TEST_CASE("a journal keeps its lines, in a folder that it makes") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "new" / "folder" / "lines";
  {
    LineJournal journal(file, "busy");
    CHECK(journal.lines().empty());
    CHECK_FALSE(journal.was_torn());
    journal.append("first");
    journal.append("");
    journal.append("third");
    CHECK(journal.lines() == Lines{"first", "", "third"});
  }
  LineJournal journal(file, "busy");
  CHECK(journal.lines() == Lines{"first", "", "third"});
  CHECK(contents(file) == "first\n\nthird\n");
  journal.clear();
  CHECK(journal.lines().empty());
  journal.append("new");
  CHECK(contents(file) == "new\n");
}

TEST_CASE("a journal cut off after every byte: whole lines are kept, the next takes the torn one's place") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "lines";
  const std::string whole = "first\nsecond\n\nfourth\n";
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    CAPTURE(size);
    const std::string text = whole.substr(0, size);
    std::ofstream(file, std::ios::trunc | std::ios::binary) << text;
    const std::string kept = text.substr(0, text.rfind('\n') + 1);
    LineJournal journal(file, "busy");
    CHECK(journal.was_torn() == (kept != text));
    CHECK(contents(file) == text); // nothing is changed until there is something to append
    const Lines lines = journal.lines();
    std::string again;
    for (const std::string& line : lines)
      again += line + "\n";
    CHECK(again == kept);
    journal.append("next");
    CHECK(contents(file) == kept + "next\n");
    CHECK(journal.lines().size() == lines.size() + 1);
  }
}

TEST_CASE("a line that does not fit on the disk leaves nothing behind") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "lines";
  LineJournal journal(file, "busy");
  journal.append("first");
  {
    const FileLimit limit(10); // bytes: only a part of the line can be written
    CHECK_THROWS_AS(journal.append("a longer line"), UsageError);
    CHECK(contents(file) == "first\n");
    journal.append("2nd");
  }
  journal.append("a longer line");
  CHECK(journal.lines() == Lines{"first", "2nd", "a longer line"});
}

TEST_CASE("one process at a time, and what is no file") {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "lines";
  {
    const LineJournal journal(file, "busy");
    CHECK(sentence_of(file) == "cannot write the journal '" + file.string() + "': busy");
  }
  CHECK(sentence_of(file).empty());
  CHECK(sentence_of(folder.path()) == "cannot write the journal '" + folder.path().string() + "': Is a directory");
  CHECK(sentence_of(file / "inside").ends_with("Not a directory"));
  CHECK(sentence_of("/dev/null").ends_with("it is no file"));
}

} // namespace tmd::support
