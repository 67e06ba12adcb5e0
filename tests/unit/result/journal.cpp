// Journals: written, read, damaged and resumed.
#include "host/result/journal.hpp"
#include "host/request/spec_json.hpp"
#include "host/result/journal_check.hpp"
#include "host/result/reader.hpp"
#include "temporary_folder.hpp"
#include "tmd/error.hpp"
#include "unit/message_of.hpp"
#include "unit/results.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace tmd::result {

namespace {

opencl::DeviceDescription device(const char* name, std::size_t index) {
  opencl::DeviceDescription result;
  result.name = name;
  result.platform = "platform";
  result.driver_version = "1.0";
  result.index = index;
  result.set_type(true, false, false);
  return result;
}

const std::vector<opencl::DeviceDescription> two{device("one", 0), device("other", 1)};

const Program some_program{"0.1.0", "0123456789ab", {"0123456789abcdef", false}};

SearchSpec some_spec() {
  SearchSpec spec;
  spec.functions = {"exp"};
  spec.wc = "it's.wc";
  return spec;
}

JournalHeader some_header() {
  return {some_program,        some_spec(),   "tmd search exp --wc 'it'\\''s.wc'",
          {{"wc", "it's.wc"}}, Symmetry::odd, std::nullopt};
}

PartResult some_part(const std::vector<Case>& found) {
  PartResult part;
  part.found = found;
  part.candidates = 5;
  part.direct = 3;
  part.seconds = 0.25;
  part.planning_seconds = 0.125;
  set_stage(part.stages, "wide_groups", 1000, 30, 2);
  return part;
}

job::RankInterval ranks_from(const job::Job& job, int first, int count) {
  return {job.first + first, job.first + first + count};
}

Case at(const job::Job& job, int index, double bits = 50.0123456789) {
  return {job.arguments().at(job.first + index), bits, Breakpoint::midpoint};
}

// A new journal with all kinds of records.
void write_some(const std::filesystem::path& file, const job::Job& job) {
  Journal journal(file);
  journal.begin(some_header(), job);
  journal.begin_run(some_program, job, two);
  journal.searched(1, ranks_from(job, 0, 100), some_part({at(job, 7)}));
  journal.proven({ranks_from(job, 5000, 2000),
                  {job::BreakpointRule{"0x1p+0", "-0x1p-9", job::Side::above, Breakpoint::representable}}});
  journal.proven({ranks_from(job, 9000, 1024), {}});
  journal.proven({ranks_from(job, 10024, 1024), {job::BreakpointRule{"0x1p+0", "0x0p+0", job::Side::below, {}}}});
  journal.left_out(ranks_from(job, 20000, 10));
  Case exact = at(job, 150, INFINITY);
  exact.kind = Case::Kind::exact;
  exact.breakpoint = Breakpoint::representable;
  Case undecided = at(job, 160, INFINITY);
  undecided.kind = Case::Kind::undecided;
  journal.searched(0, ranks_from(job, 100, 100), some_part({at(job, 199, 44.25), exact, undecided}));
}

ClaimIdentity some_claim(const job::Job& job) {
  return {"phase", ranks_from(job, 1000, 1000), uint128(1) << 61, "0123456789abcdef"};
}

PartResult some_place(uint128 first, uint128 count, const std::vector<Case>& found) {
  PartResult part = some_part(found);
  part.part = {7, first, count};
  return part;
}

// Parts of two claims by two devices. The first claim is complete; a case on its border is in two parts.
void write_claims(const std::filesystem::path& file, const job::Job& job) {
  const ClaimIdentity claim = some_claim(job);
  const ClaimIdentity other{"phase", ranks_from(job, 2000, 500), 64, "fedcba9876543210"};
  const uint128 half = claim.extent / 2;
  Journal journal(file);
  journal.begin(some_header(), job);
  journal.begin_run(some_program, job, two);
  journal.searched(0, claim, 200, some_place(half, half / 2, {at(job, 1500), at(job, 1007)}));
  journal.searched(1, other, 100, some_place(10, 4, {at(job, 2300)}));
  journal.searched(1, claim, 300, some_place(half + half / 2, half / 2, {}));
  journal.searched(1, claim, 500, some_place(0, half, {at(job, 1007), at(job, 1008)}));
  journal.searched(0, other, 20, some_place(60, 4, {}));
}

bool same(const Case& left, const Case& right) {
  return left.x == right.x && left.bits == right.bits && left.breakpoint == right.breakpoint && left.kind == right.kind;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(text.substr(begin, end - begin));
  return lines;
}

std::string text_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines)
    text += line + "\n";
  return text;
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

// A record's line, with a checksum made anew.
std::string with_check(result::Json record) {
  record.erase("crc");
  std::string text = record.dump();
  text.pop_back();
  const auto check = ::crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size());
  return text + fmt::format(R"(,"crc":"{:08x}"}})", check);
}

// Cuts a journal off after every byte; returns the number of its records at the end.
std::size_t each_end(const std::filesystem::path& file) {
  const std::string text = contents(file);
  const std::size_t all = lines_of(text).size();
  std::size_t whole = all;
  for (std::size_t size = text.size() + 1; size-- > 0;) {
    whole -= size < text.size() && text[size] == '\n' ? 1 : 0;
    std::filesystem::resize_file(file, size); // shortened: what is written anew would go to the disk each time
    if (whole == 0) {
      CHECK_THROWS_AS((void)read_journal(file), UsageError);
      CHECK_FALSE(Journal(file).contents());
      continue;
    }
    const JournalContents read = read_journal(file);
    REQUIRE(read.records == whole);
    REQUIRE(read.was_torn == (text[size - 1] != '\n'));
    REQUIRE(Journal(file).contents()->records == whole);
  }
  return all;
}

} // namespace

TEST_CASE("journal: what was written is read") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.journal";
  const job::Job job = some_job();
  write_some(file, job);
  CHECK(open_result(file.string()).kind == FileKind::journal);
  const JournalContents read = read_journal(file);
  CHECK(read.job().identity() == job.identity());
  CHECK(read.header.program.version == "0.1.0");
  CHECK(read.header.program.kernels.digest == "0123456789abcdef");
  CHECK(request::to_json(read.header.request) == request::to_json(some_spec()));
  CHECK(read.header.command == some_header().command);
  CHECK(read.header.outputs == some_header().outputs);
  CHECK_FALSE(read.header.shard);
  CHECK(read.header.symmetry == Symmetry::odd);
  CHECK_FALSE(read.was_torn);
  CHECK_FALSE(read.is_complete());
  CHECK(read.records == 10);
  const SearchResult& result = read.result;
  job::Coverage covered(job.first, job.first + 200);
  covered.add(job.first + 5000, job.first + 7000);
  covered.add(job.first + 9000, job.first + 11048);
  CHECK(result.covered == covered);
  CHECK(result.left_out == job::Coverage(job.first + 20000, job.first + 20010));
  REQUIRE(result.cases.size() == 2);
  const std::vector<Case> cases = result.cases.to_vector();
  CHECK(same(cases[0], at(job, 7)));
  CHECK(same(cases[1], at(job, 199, 44.25)));
  REQUIRE(result.exact.size() == 1);
  CHECK(result.exact.front().breakpoint == Breakpoint::representable);
  REQUIRE(result.undecided.size() == 1);
  REQUIRE(result.regimes.size() == 3);
  CHECK(result.regimes[0].regime.rule ==
        job::BreakpointRule{"0x1p+0", "-0x1p-9", job::Side::above, Breakpoint::representable});
  CHECK(result.regimes[1].regime == job::Regime{});
  CHECK(result.regimes[2].regime.rule == job::BreakpointRule{"0x1p+0", "0x0p+0", job::Side::below, {}});
  CHECK(result.candidates == 10);
  CHECK(result.direct == 6);
  CHECK(result.planning_seconds == 0.25);
  CHECK(engine::stage(result.stages, "wide_groups").tested == 2000);
  REQUIRE(read.devices.size() == 2);
  CHECK(read.devices[0].name == "one");
  CHECK(read.devices[0].cases == 1);
  CHECK(read.devices[1].arguments == 100);
  REQUIRE(read.runs.size() == 1);
  CHECK(read.runs[0].arguments == 4248);
  REQUIRE(read.parts.size() == 2);
  CHECK(read.parts[0].device == 1);
}

TEST_CASE("journal: a second run goes on; a shard") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.journal";
  const job::Job job = some_job();
  write_some(file, job);
  {
    Journal journal(file);
    CHECK(journal.contents()->records == 10);
    journal.begin_run(some_program, job, {device("third", 0), two[0]});
    CHECK(journal.has_results());
    journal.searched(1, ranks_from(job, 200, 1), some_part({}));
    journal.searched(0, ranks_from(job, 201, 1), some_part({}));
  }
  const JournalContents read = read_journal(file);
  REQUIRE(read.devices.size() == 3);
  CHECK(read.devices[0].arguments == 101);
  CHECK(read.devices[2].name == "third");
  CHECK(read.devices[2].arguments == 1);
  REQUIRE(read.runs.size() == 2);
  CHECK(read.runs[1].arguments == 2);
  CHECK(read.parts.back().run == 1);

  Journal journal(file); // it belongs to another job
  JournalHeader header = some_header();
  header.shard = job::Shard{2, 7, job.first, job.last + 5};
  job::Job part = job;
  part.first += 5;
  journal.begin(header, part);
  CHECK(journal.contents()->header.shard == header.shard);
  CHECK(journal.contents()->job().identity() == part.identity());
  CHECK(journal.contents()->result.covered.empty());
  journal.begin_run(some_program, part, two);
  CHECK_FALSE(journal.has_results());
}

TEST_CASE("journal: nothing counts that a faulty device did before") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.journal";
  const job::Job job = some_job();
  write_some(file, job);
  {
    Journal journal(file);
    (void)journal.contents();
    journal.begin_run(some_program, job, {two[1], two[0]});
    journal.searched(0, ranks_from(job, 200, 50), some_part({at(job, 210)}));
    journal.revoked(0);                                                    // parts of both runs
    journal.searched(1, ranks_from(job, 0, 100), some_part({at(job, 8)})); // the same again
  }
  const JournalContents read = read_journal(file);
  CHECK(read.devices[1].revoked);
  CHECK_FALSE(read.devices[0].revoked);
  CHECK(read.devices[1].arguments == 0);
  CHECK_FALSE(read.result.covered.contains(job.first + 200));
  REQUIRE(read.result.cases.size() == 2);
  CHECK(read.result.cases.front().x == at(job, 8).x);
}

TEST_CASE("journal: cut off after every byte, it has what was whole, and nothing else") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.journal";
  const job::Job job = some_job();
  write_claims(file, job);
  CHECK(each_end(file) == 11);
  write_some(file, job);
  const std::string text = contents(file);
  const std::vector<std::string> lines = lines_of(text);
  CHECK(each_end(file) == lines.size());
  // The next record replaces the incomplete one.
  write(file, text.substr(0, text.size() - 9));
  {
    Journal journal(file);
    CHECK(journal.contents()->was_torn);
    journal.begin_run(some_program, job, two);
    journal.searched(0, ranks_from(job, 100, 100), some_part({}));
  }
  CHECK(read_journal(file).records == lines.size() + 1);
}

TEST_CASE("journal: no byte can be another one") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.journal";
  const job::Job job = some_job();
  for (const auto& write_journal : {write_some, write_claims}) {
    write_journal(file, job);
    const std::string text = contents(file);
    const std::size_t records = lines_of(text).size();
    int refused = 0;
    int torn = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
      for (const int flipped : {1, 4, 32, 128, '\n' ^ text[i]}) {
        if (flipped == 0)
          continue;
        std::string damaged = text;
        damaged[i] = static_cast<char>(damaged[i] ^ flipped);
        std::string why;
        try {
          // If a line break is missing, or comes too early, the last line is incomplete.
          const JournalContents read = parse_journal(support::source_of(damaged), "j");
          REQUIRE(read.records < records);
          REQUIRE(i + 1 == text.size());
          ++torn;
          continue;
        } catch (const UsageError& error) {
          why = error.what();
        }
        const auto line = static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<long>(i), '\n'));
        REQUIRE(why.starts_with("the journal 'j', line " + std::to_string(line + 1) + ": "));
        ++refused;
      }
    CHECK(refused > 10000);
    CHECK(torn == 4);
  }
}

TEST_CASE("journal: lines that are lost, there twice or in another place are told with their numbers") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.journal";
  const job::Job job = some_job();
  write_some(file, job);
  const std::vector<std::string> lines = lines_of(contents(file));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::vector<std::string> wrong = lines;
    wrong.erase(wrong.begin() + static_cast<long>(i));
    if (i + 1 < lines.size())
      CHECK(message_of([&] {
              (void)parse_journal(support::source_of(text_of(wrong)), "j");
            }).starts_with("the journal 'j', line " + std::to_string(i + 1)));
    wrong = lines;
    wrong.insert(wrong.begin() + static_cast<long>(i), lines[i]);
    CHECK(message_of([&] {
            (void)parse_journal(support::source_of(text_of(wrong)), "j");
          }).starts_with("the journal 'j', line " + std::to_string(i + 2)));
  }
  CHECK(message_of([&] { (void)parse_journal(support::source_of(""), "j"); }) == "the journal 'j' is empty");
  CHECK_THROWS_AS((void)read_journal(folder.path() / "none"), UsageError);
  CHECK_THROWS_AS((void)read_journal(folder.path()), UsageError);
}

TEST_CASE("journal: arguments that were searched twice, or are not of the job") {
  const TemporaryFolder folder;
  const job::Job job = some_job();
  const auto after = [&](const char* name, const auto& write) {
    const auto file = folder.path() / name;
    Journal journal(file);
    journal.begin(some_header(), job);
    journal.begin_run(some_program, job, two);
    write(journal);
    (void)journal.contents();
  };
  CHECK_THROWS_AS(after("twice",
                        [&](Journal& journal) {
                          journal.searched(0, ranks_from(job, 0, 100), some_part({}));
                          journal.searched(1, ranks_from(job, 99, 1), some_part({}));
                        }),
                  SoundnessError);
  CHECK_THROWS_AS(after("regime",
                        [&](Journal& journal) {
                          journal.searched(0, ranks_from(job, 0, 100), some_part({}));
                          journal.proven({ranks_from(job, 99, 1), {}});
                        }),
                  SoundnessError);
  CHECK_THROWS_AS(
      after("beyond", [&](Journal& journal) { journal.searched(0, ranks_from(job, -1, 100), some_part({})); }),
      UsageError);
  CHECK_THROWS_AS(
      after("case", [&](Journal& journal) { journal.searched(0, ranks_from(job, 0, 5), some_part({at(job, 5)})); }),
      UsageError);
}

TEST_CASE("journal: parts of claims, which count when all of them are there") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.journal";
  const job::Job job = some_job();
  write_claims(file, job);
  const JournalContents read = read_journal(file);
  CHECK(read.records == 11);
  CHECK(read.has_results());
  REQUIRE(read.claims.size() == 2);
  CHECK(read.claims[0] == some_claim(job));
  CHECK(read.result.covered == job::Coverage(job.first + 1000, job.first + 2000));
  CHECK(read.result.cases.size() == 3); // each of them once
  CHECK(read.result.candidates == 15);
  CHECK(engine::stage(read.result.stages, "wide_groups").tested == 3000);
  REQUIRE(read.result.partial_claims.size() == 1);
  const PartialClaim& begun = read.result.partial_claims.front();
  CHECK(begun.claim == read.claims[1]);
  job::Coverage done(10, 14);
  done.add(60, 64);
  CHECK(begun.done == done);
  CHECK(begun.sums.arguments == 120);
  CHECK(begun.sums.found.cases.size() == 1);
  CHECK(begun.sums.candidates == 10);
  CHECK(read.result.partial_arguments() == 120);
  CHECK(read.devices[0].arguments == 220);
  CHECK(read.devices[1].arguments == 900);
  CHECK(read.devices[1].cases == 3);
  CHECK(read.runs[0].arguments == 1120);
  REQUIRE(read.parts.size() == 1);
  CHECK(read.parts[0].ranks == ranks_from(job, 1000, 1000));
  CHECK(read.parts[0].seconds == 0.75);

  // The next run numbers the claims as the first did.
  {
    Journal journal(file);
    (void)journal.contents();
    journal.begin_run(some_program, job, two);
    journal.searched(0, read.claims[1], 380, some_place(0, 10, {}));
    journal.searched(0, read.claims[1], 0, some_place(14, 46, {}));
  }
  const JournalContents again = read_journal(file);
  CHECK(again.records == 14);
  CHECK(again.claims == read.claims);
  CHECK(again.result.covered == job::Coverage(job.first + 1000, job.first + 2500));
  CHECK(again.result.cases.size() == 4);
  CHECK(again.result.partial_claims.empty());
  CHECK(again.runs[1].arguments == 380);
}

TEST_CASE("journal: a faulty device's parts of claims do not count") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.journal";
  const job::Job job = some_job();
  write_claims(file, job);
  {
    Journal journal(file);
    (void)journal.contents();
    journal.begin_run(some_program, job, {two[1], two[0]});
    journal.revoked(0);
  }
  JournalContents read = read_journal(file);
  CHECK(read.result.covered.empty()); // the claim that was complete is so no longer
  CHECK(read.result.cases.empty());
  REQUIRE(read.result.partial_claims.size() == 2);
  CHECK(read.result.partial_claims[0].sums.arguments == 200);
  CHECK(read.result.partial_claims[0].sums.found.cases.size() == 2);
  CHECK(read.result.partial_claims[1].sums.arguments == 20);
  CHECK(read.devices[1].arguments == 0);
  CHECK(read.devices[0].arguments == 220);
  { // the same device again; its results from now on are trusted
    const ClaimIdentity claim = some_claim(job);
    Journal journal(file);
    (void)journal.contents();
    journal.begin_run(some_program, job, two);
    journal.searched(1, claim, 500, some_place(0, claim.extent / 2, {at(job, 1008)}));
    journal.searched(0, claim, 300, some_place(claim.extent / 4 * 3, claim.extent / 4, {}));
  }
  read = read_journal(file);
  CHECK(read.result.covered == job::Coverage(job.first + 1000, job.first + 2000));
  CHECK(read.result.cases.size() == 3);
}

TEST_CASE("journal: parts of claims that cannot be, or do not add up, are refused") {
  const TemporaryFolder folder;
  const job::Job job = some_job();
  const ClaimIdentity claim = some_claim(job);
  const auto after = [&](const char* name, const auto& write) {
    const auto file = folder.path() / name;
    Journal journal(file);
    journal.begin(some_header(), job);
    journal.begin_run(some_program, job, two);
    write(journal);
    return *journal.contents();
  };
  const uint128 half = claim.extent / 2;
  CHECK_THROWS_WITH_AS((void)after("twice",
                                   [&](Journal& journal) {
                                     journal.searched(0, claim, 10, some_place(5, 10, {}));
                                     journal.searched(1, claim, 10, some_place(5, 10, {}));
                                   }),
                       doctest::Contains("would be covered twice"), SoundnessError);
  CHECK_THROWS_AS((void)after("overlap",
                              [&](Journal& journal) {
                                journal.searched(0, claim, 10, some_place(5, 10, {}));
                                journal.searched(0, claim, 10, some_place(14, 10, {}));
                              }),
                  SoundnessError);
  for (const uint128 second : {uint128(499), uint128(501), uint128(0)})
    CHECK_THROWS_WITH_AS((void)after(("counts" + std::to_string(static_cast<int>(second))).c_str(),
                                     [&](Journal& journal) {
                                       journal.searched(0, claim, 500, some_place(0, half, {}));
                                       journal.searched(1, claim, second, some_place(half, half, {}));
                                     }),
                         doctest::Contains("the parts of a stretch of 1000 arguments from"), SoundnessError);
  CHECK_THROWS_AS((void)after("complete",
                              [&](Journal& journal) {
                                journal.searched(0, claim, 1000, some_place(0, claim.extent, {}));
                                journal.searched(0, claim, 0, some_place(3, 1, {}));
                              }),
                  SoundnessError);
  CHECK_THROWS_AS((void)after("searched otherwise before",
                              [&](Journal& journal) {
                                journal.searched(0, ranks_from(job, 1500, 1), some_part({}));
                                journal.searched(0, claim, 1000, some_place(0, claim.extent, {}));
                              }),
                  SoundnessError);
  CHECK_THROWS_AS(
      (void)after("beyond", [&](Journal& journal) { journal.searched(0, claim, 0, some_place(claim.extent, 1, {})); }),
      UsageError);
  CHECK_THROWS_AS((void)after("far beyond",
                              [&](Journal& journal) { journal.searched(0, claim, 0, some_place(-uint128(1), 2, {})); }),
                  UsageError);
  CHECK_THROWS_AS(
      (void)after("nothing", [&](Journal& journal) { journal.searched(0, claim, 0, some_place(5, 0, {})); }),
      UsageError);
  CHECK_THROWS_AS(
      (void)after("many", [&](Journal& journal) { journal.searched(0, claim, 1001, some_place(5, 1, {})); }),
      UsageError);
  CHECK_THROWS_AS(
      (void)after("case", [&](Journal& journal) { journal.searched(0, claim, 1, some_place(5, 1, {at(job, 2000)})); }),
      UsageError);
  ClaimIdentity wrong = claim;
  wrong.ranks = ranks_from(job, -1, 10);
  CHECK_THROWS_AS((void)after("ranks", [&](Journal& journal) { journal.searched(0, wrong, 1, some_place(5, 1, {})); }),
                  UsageError);
  wrong = claim;
  wrong.extent = 0;
  CHECK_THROWS_AS((void)after("extent", [&](Journal& journal) { journal.searched(0, wrong, 1, some_place(0, 0, {})); }),
                  UsageError);
}

TEST_CASE("journal: the same arguments in another coordinate are another claim") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.journal";
  const job::Job job = some_job();
  const ClaimIdentity claim = some_claim(job);
  const uint128 half = claim.extent / 2;
  std::vector<ClaimIdentity> others(4, claim);
  others[0].coordinate = "0123456789abcdee";
  others[1].engine = "other";
  others[2].extent += 1;
  others[3].ranks = ranks_from(job, 1000, 999);
  Journal journal(file);
  journal.begin(some_header(), job);
  journal.begin_run(some_program, job, two);
  journal.searched(0, claim, 500, some_place(0, half, {at(job, 1001)}));
  for (const ClaimIdentity& other : others)
    journal.searched(0, other, 400, some_place(half, half, {at(job, 1002)}));
  JournalContents read = read_journal(file);
  CHECK(read.claims.size() == 5);
  CHECK(read.result.covered.empty());
  CHECK(read.result.partial_claims.size() == 5);
  CHECK(read.result.partial_arguments() == 400); // in the last record: the others have the same arguments
  journal.searched(0, others[0], 600, some_place(0, half, {at(job, 1003)}));
  read = read_journal(file);
  CHECK(read.result.covered == job::Coverage(job.first + 1000, job.first + 2000));
  CHECK(read.result.cases.size() == 2);
  CHECK(read.result.partial_claims.empty()); // the other lines need not be kept
  CHECK(read.result.partial_arguments() == 0);
}

TEST_CASE("journal: one writer at a time, and readers beside it") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.journal";
  const job::Job job = some_job();
  write_some(file, job);
  CHECK_FALSE(is_being_written(file));
  {
    Journal journal(file);
    CHECK(is_being_written(file));
    CHECK(message_of([&] { const Journal second(file); }).ends_with("another search is writing it"));
    CHECK(read_journal(file).records == 10);
    journal.sync();
  }
  CHECK_FALSE(is_being_written(file));
  Journal(file).remove();
  CHECK_FALSE(std::filesystem::exists(file));
}

// A line's checksum proves that it is complete, not that it is right.
TEST_CASE("journal: values that cannot be are refused, with the line") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.journal";
  const job::Job job = some_job();
  struct Edit {
    void (*write)(const std::filesystem::path&, const job::Job&);
    const char* type;
    const char* key;
    result::Json value;
    const char* why;
  };
  const Edit edits[] = {
      {write_some, "part", "device", -1, "-1 is no number that counts something"},
      {write_some, "part", "device", true, "true is no number that counts something"},
      {write_some, "part", "device", 1.0, "1.0 is no number that counts something"},
      {write_some, "part", "device", 2, "no record before it names a device 2"},
      {write_some, "part", "arguments", 101, "a part of 100 arguments is said to have 101"},
      {write_some, "part", "seconds", -1, "-1 is no number of seconds or bits"},
      {write_some, "part", "candidates", -1, "-1 is no number that counts something"},
      {write_some, "part", "direct", "340282366920938463463374607431768211456", "is no integer, or too large"},
      {write_some, "part", "direct", "", "an integer is an empty text"},
      {write_some, "part", "found", nullptr, "its findings are not a list"},
      {write_some, "part", "stages", result::Json::array(), "its stages are no record"},
      {write_some, "part", "last", "0x1p+1", "a part of"},
      {write_some, "range", "arguments", 1999, "a range of 2000 arguments is said to have 1999"},
      {write_some, "range", "side", "beside", "'beside' is no side of a breakpoint"},
      {write_some, "range", "cases", "few", "says nothing of a range's cases"},
      {write_some, "range", "at", -1, "-1 is no number of seconds or bits"},
      {write_some, "journal", "schema", (std::uint64_t(1) << 32) + 1, "its records have schema"},
      {write_some, "journal", "outputs", result::Json{{"list", "a.wc"}}, "'list' is no option that names an output"},
      {write_some, "device", "index", -1, "-1 is no number that counts something"},
      {write_claims, "claimed", "device", -1, "-1 is no number that counts something"},
      {write_claims, "claimed", "claim", -1, "-1 is no number that counts something"},
      {write_claims, "claimed", "arguments", -1, "-1 is no number that counts something"},
      {write_claims, "claimed", "place", 1.5, "1.5 is no number that counts something"}};
  for (const Edit& edit : edits) {
    CAPTURE(edit.type);
    CAPTURE(edit.key);
    edit.write(file, job);
    const auto edited = [&](const result::Json* value) { // no value: the key is missing
      std::string text;
      bool is_edited = false;
      for (const std::string& line : lines_of(contents(file))) {
        result::Json record = result::Json::parse(line);
        if (record["type"] == edit.type && !std::exchange(is_edited, true)) {
          if (value != nullptr)
            record[edit.key] = *value;
          else
            record.erase(edit.key);
        }
        text += with_check(record) + "\n";
      }
      REQUIRE(is_edited);
      return message_of([&] { (void)parse_journal(support::source_of(text), "j"); });
    };
    const std::string why = edited(&edit.value);
    CHECK(why.starts_with("the journal 'j', line "));
    CHECK(why.find(edit.why) != std::string::npos);
    if (std::string_view(edit.key) != "arguments") // a key that older journals lack
      CHECK(edited(nullptr).find(": a key of the record is missing or has the wrong type") != std::string::npos);
  }
}

TEST_CASE("journal: one of 0.1.0 has the words of its command instead of a request") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.journal";
  write_some(file, some_job());
  std::string text;
  for (const std::string& line : lines_of(contents(file))) {
    result::Json record = result::Json::parse(line);
    if (record.contains("request")) {
      record.erase("request");
      record["arguments"] = {"exp", "--wc=it's.wc"};
    }
    text += with_check(record) + "\n";
  }
  CHECK(request::to_json(parse_journal(support::source_of(text), "j").header.request) == request::to_json(some_spec()));
}

TEST_CASE("journal: cases below K, twice or refuted, and ranges that are none, are not gone on with") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.journal";
  const job::Job job = some_job(); // exp on [1, 2), K = 44
  const Case right{argument("0x1.aca7ae8da5a7bp+0"), 53.99216, Breakpoint::midpoint};
  const format::ArgumentSet::Rank rank = job.arguments().rank(right.x);
  const auto written = [&](const Case& one, bool is_claimed, const std::vector<job::RegimeRange>& ranges = {}) {
    Journal journal(file);
    journal.begin(some_header(), job);
    journal.begin_run(some_program, job, two);
    if (is_claimed)
      journal.searched(0, {"phase", {rank - 100, rank + 100}, 64, "0123456789abcdef"}, 50, some_place(10, 4, {one}));
    else
      journal.searched(0, {rank - 100, rank + 100}, some_part({one}));
    for (const job::RegimeRange& range : ranges)
      journal.proven(range);
    return *journal.contents();
  };
  const auto why_not = [&](const JournalContents& contents) -> std::string {
    try {
      check_journal(contents, "j");
      return "";
    } catch (const SoundnessError& error) {
      return error.what();
    }
  };
  for (const bool is_claimed : {false, true}) {
    CHECK(why_not(written(right, is_claimed)).empty());
    Case wrong = right;
    wrong.bits = 53.5;
    CHECK(why_not(written(wrong, is_claimed)).find("it has 53.9922 bits, not 53.5000") != std::string::npos);
    wrong = right;
    wrong.breakpoint = Breakpoint::representable;
    CHECK(why_not(written(wrong, is_claimed)).find("its breakpoint is midpoint, not representable") !=
          std::string::npos);
    wrong = right;
    wrong.kind = Case::Kind::exact;
    wrong.bits = INFINITY;
    CHECK(why_not(written(wrong, is_claimed)).find("it is hard, not exact") != std::string::npos);
    wrong = right;
    ++wrong.x.significand;
    CHECK(why_not(written(wrong, is_claimed)).find("no 44-bit case") != std::string::npos);
    wrong = right;
    wrong.bits = 43.99;
    CHECK_THROWS_WITH_AS((void)written(wrong, is_claimed), doctest::Contains("a case of 43.99 bits is none"),
                         UsageError);
  }
  const job::RankInterval elsewhere{rank + 1000, rank + 3000};
  CHECK(why_not(written(right, false, {{elsewhere, {}}})).empty()); // as far as MPFR can decide
  const job::BreakpointRule rule{"0x0p+0", "0x1p+0", job::Side::above, Breakpoint::representable};
  CHECK(
      why_not(written(right, false, {{elsewhere, {rule}}})).find("no hard case in a range said to have nothing else") !=
      std::string::npos);
}

} // namespace tmd::result
