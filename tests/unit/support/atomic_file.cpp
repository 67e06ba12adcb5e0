// Files that appear complete or not at all; links, read-only targets and standard output.
#include "host/support/atomic_file.hpp"
#include "host/support/descriptor.hpp"
#include "temporary_folder.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <unistd.h>

namespace tmd::support {

namespace fs = std::filesystem;

namespace {

auto files_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

std::string refusal(const fs::path& target) {
  try {
    const AtomicFile file(target);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

// Redirects standard output while it lives.
class RedirectedOutput {
public:
  explicit RedirectedOutput(int number) : before_(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)) {
    std::fflush(stdout);
    ::dup2(number, STDOUT_FILENO);
  }
  RedirectedOutput(const RedirectedOutput&) = delete;
  RedirectedOutput& operator=(const RedirectedOutput&) = delete;
  ~RedirectedOutput() {
    std::fflush(stdout);
    ::dup2(before_.number(), STDOUT_FILENO);
  }

private:
  Descriptor before_;
};

} // namespace

TEST_CASE("a file appears complete or not at all") {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "cases.wc";
  {
    const AtomicFile file(target);
    CHECK_FALSE(fs::exists(target));
  }
  CHECK(fs::is_empty(folder.path()));
  std::ofstream(target) << "old";
  {
    const AtomicFile file(target);
    CHECK(contents(target) == "old");
    const std::string text(100000, 'x');
    file.commit(text);
    CHECK(contents(target) == text);
  }
  CHECK(files_in(folder.path()) == 1);
  CHECK_THROWS_AS(AtomicFile(folder.path() / "missing" / "file"), UsageError);
  CHECK_THROWS_AS(AtomicFile file(folder.path()), UsageError);
}

TEST_CASE("symbolic links are followed, whatever they lead to, and stay") {
  const TemporaryFolder folder;
  const fs::path elsewhere = folder.path() / "elsewhere";
  fs::create_directory(elsewhere);
  std::ofstream(elsewhere / "old") << "old";
  fs::create_symlink("elsewhere/old", folder.path() / "existing");
  fs::create_symlink("elsewhere/new", folder.path() / "dangling");
  fs::create_symlink(folder.path() / "dangling", elsewhere / "chain");
  for (const auto& [link, target] : {std::pair(folder.path() / "existing", elsewhere / "old"),
                                     {folder.path() / "dangling", elsewhere / "new"},
                                     {elsewhere / "chain", elsewhere / "new"}}) {
    CAPTURE(link.string());
    const AtomicFile file(link);
    CHECK(file.same_target(AtomicFile(target)));
    file.commit(link.string());
    CHECK(fs::is_symlink(link));
    CHECK_FALSE(fs::is_symlink(target));
    CHECK(contents(target) == link.string());
  }
  CHECK(files_in(elsewhere) == 3);
  CHECK(files_in(folder.path()) == 3);
  fs::create_symlink("loop", folder.path() / "loop");
  CHECK(refusal(folder.path() / "loop").ends_with("loop': Too many levels of symbolic links"));
  fs::create_symlink("missing/file", folder.path() / "nowhere");
  CHECK(refusal(folder.path() / "nowhere").ends_with("nowhere': No such file or directory"));
}

TEST_CASE("a read-only target is refused, also to root, and behind a link") {
  const TemporaryFolder folder;
  const fs::path target = folder.path() / "kept";
  std::ofstream(target) << "mine";
  fs::permissions(target, fs::perms::owner_read);
  fs::create_symlink("kept", folder.path() / "link");
  CHECK(refusal(target) == "cannot write '" + target.string() + "': it is read-only");
  CHECK(refusal(folder.path() / "link").ends_with("link': it is read-only"));
  CHECK(contents(target) == "mine");
  fs::permissions(target, fs::perms::owner_write, fs::perm_options::add);
  CHECK(refusal(target).empty());
}

TEST_CASE("- is standard output, after what was printed before") {
  const TemporaryFolder folder;
  const fs::path output = folder.path() / "output";
  const Descriptor file(::open(output.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  REQUIRE(file.is_open());
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  {
    const RedirectedOutput redirected(file.number());
    std::fputs("printed\n", stdout);
    AtomicFile("-").commit("written\n");
    std::fputs("printed again\n", stdout);
    AtomicFile("/dev/stdout").commit("and again\n");
    AtomicFile(output).commit("by its own name\n"); // it must not be replaced while it is written
  }
  CHECK(contents(output) == "printed\nwritten\nprinted again\nand again\nby its own name\n");
  CHECK(files_in(folder.path()) == 1);
  AtomicFile("./-").commit("a file");
  CHECK(contents(folder.path() / "-") == "a file");
  fs::current_path(before);

  CHECK(AtomicFile("-").same_target(AtomicFile("-")));
  CHECK_FALSE(AtomicFile("-").same_target(AtomicFile(output)));
  CHECK_FALSE(AtomicFile("/dev/null").same_target(AtomicFile("/dev/null"))); // nothing can be lost there
  const Descriptor closed(::open("/dev/null", O_RDONLY | O_CLOEXEC));        // as main() replaces a closed output
  std::string sentence;
  {
    const RedirectedOutput redirected(closed.number());
    sentence = refusal("-");
  }
  CHECK(sentence == "cannot write '-': Bad file descriptor");
}

} // namespace tmd::support
