// The journal of a tuning.
#include "tune/journal.hpp"
#include "temporary_folder.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <ios>
#include <string>

namespace tmd::tune {

namespace {

namespace fs = std::filesystem;

} // namespace

TEST_CASE("the journal: torn and damaged lines, other subjects, --fresh, two at a time") {
  const TemporaryFolder folder;
  Trial trial;
  trial.settings = {{"phase1.logms", "7"}};
  trial.part = Part::phase1;
  trial.state = State::incorrect;
  trial.message = "with\nlines and \xff bytes";
  trial.seconds[Part::whole] = 0.5;
  trial.ratios[Part::phase1] = 2;
  const Settings default_values{{"phase1.items", "1"}, {"phase1.logms", "3"}};
  fs::path file;
  {
    Journal journal(folder.path() / "new" / "folder", "x", "subject", default_values, false);
    file = fs::directory_iterator(folder.path() / "new" / "folder")->path();
    journal.append(trial);
    journal.append(trial);
    CHECK_THROWS_AS(Journal(folder.path() / "new" / "folder", "x", "subject", default_values, false), UsageError);
  }
  {
    std::ofstream stream(file, std::ios::app | std::ios::binary);
    stream << "{\"type\":\"trial\",\"part\":\"phase9\"}\n"
           << "no JSON\n"
           << std::string("\0\xff", 2) << "\n{\"type\":\"trial\",\"part\":\"pha"; // an incomplete line
  }
  {
    Journal journal(folder.path() / "new" / "folder", "x", "subject", default_values, false);
    REQUIRE(journal.trials().size() == 2);
    const Trial& read = journal.trials()[1];
    CHECK(read.settings == trial.settings);
    CHECK(read.part == Part::phase1);
    CHECK(read.state == State::incorrect);
    CHECK(read.seconds.at(Part::whole) == 0.5);
    CHECK(read.ratios.at(Part::phase1) == 2);
    CHECK(read.message.find("with\nlines") == 0);
    journal.append(trial); // not appended to the incomplete line
  }
  CHECK(Journal(folder.path() / "new" / "folder", "x", "subject", default_values, false).trials().size() == 3);
  CHECK(Journal(folder.path() / "new" / "folder", "x", "another", default_values, false).trials().empty());
  CHECK(Journal(folder.path() / "new" / "folder", "x", "subject", default_values, true).trials().empty());
  CHECK(Journal(folder.path() / "new" / "folder", "x", "subject", default_values, false).trials().empty());
  // A file that is no journal is begun anew.
  std::ofstream(file, std::ios::trunc) << "mine\n";
  CHECK(Journal(folder.path() / "new" / "folder", "x", "subject", default_values, false).trials().empty());
  CHECK_THROWS_AS(Journal(file, "x", "subject", default_values, false), UsageError); // the folder does not exist
}

} // namespace tmd::tune
