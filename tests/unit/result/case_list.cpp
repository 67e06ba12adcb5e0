// Lists of cases, in our own forms and in those of others.
#include "host/result/case_list.hpp"
#include "host/result/json_lines.hpp"
#include "host/result/wc.hpp"
#include "host/support/compressed_file.hpp"
#include "temporary_folder.hpp"
#include "unit/message_of.hpp"
#include "unit/results.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <string>

namespace tmd::result {

TEST_CASE("CORE-MATH's lists: comments, counts of bits, special values, pairs") {
  const CaseList list =
      parse_case_list("# exp\n0x1.4f1d73be27a31p+1 44\n\n-0x1p-3 # why\r\nsnan\n-inf\n+NaN\n0x1p0,0x1p1\n"
                      "  1.5",
                      "exp.wc");
  REQUIRE(list.entries.size() == 3);
  CHECK(list.entries[0].x == "0x1.4f1d73be27a31p+1");
  CHECK(list.entries[0].line == 2);
  CHECK(list.entries[0].equal_bits == 44);
  CHECK(list.entries[1].x == "-0x1p-3");
  CHECK_FALSE(list.entries[1].equal_bits);
  CHECK(list.entries[2].x == "1.5");
  CHECK(list.entries[2].line == 9);
  CHECK(list.specials == 3);
  REQUIRE(list.pairs.size() == 1);
  CHECK(list.pairs[0].first == "0x1p0");
  CHECK(list.pairs[0].second == "0x1p1");
  CHECK(list.pairs[0].line == 8);
  CHECK_FALSE(list.claims.is_known());
}

TEST_CASE("what is no entry is refused with its line") {
  CHECK(message_of([] { (void)parse_case_list("1\n2 x\n", "l"); }) == "l, line 2: 'x' is not a count of bits");
  CHECK(message_of([] { (void)parse_case_list("1 2 3\n", "l"); }) ==
        "l, line 1: '3' after the number and its count of bits");
  for (const char* record : {"{\"type\":\"search\"}\n", "{\"type\":\n", "{\"type\":\"case\",\"x\":\"\xff\"}\n"})
    CHECK(message_of([&] { (void)parse_case_list(record, "l"); }) ==
          "l, line 1: not a record of a search, or truncated");
}

TEST_CASE("our own files are read as they were written") {
  const job::Job job = some_job();
  const SearchResult result = some_result(job);
  const CaseList records = parse_case_list(json_lines(job, some_run(), result), "r");
  REQUIRE(records.entries.size() == 3);
  CHECK(records.claims.function == job.function->name);
  CHECK(records.claims.bits == job.K);
  CHECK(covered(records, job.arguments()).size() <= job.size());
  CHECK(records.entries[0].x == "0x1.aca7ae8da5a7bp+0");
  CHECK(records.entries[0].bits == 53.9922);
  CHECK(records.entries[0].breakpoint == Breakpoint::midpoint);
  CHECK(records.entries[0].kind == Case::Kind::hard);
  CHECK(records.entries[1].breakpoint == Breakpoint::representable);
  CHECK(records.entries[2].kind == Case::Kind::exact);
  CHECK_FALSE(records.entries[2].bits);

  const CaseList numbers = parse_case_list(wc_file(job, some_run(), result), "w");
  CHECK(numbers.claims.function == job.function->name);
  CHECK(numbers.claims.options == records.claims.options);
  CHECK(numbers.claims.bits == job.K);
  CHECK(covered(numbers, job.arguments()) == covered(records, job.arguments()));
  REQUIRE(numbers.entries.size() == 2);
  CHECK(numbers.entries[1].x == "0x1.8p+0");
}

TEST_CASE("what is no list, or not a whole one, is refused") {
  const auto refusal = [](const std::string& text) { return message_of([&] { (void)parse_case_list(text, "l"); }); };
  for (const char* empty : {"", "\n \n", "# a comment\n"})
    CHECK(refusal(empty) == "l: it is no list: there is no number in it");
  CHECK(refusal("[1,2,3]\n") == "l, line 1: '[1,2,3]' is not a pair of numbers");
  CHECK(refusal("1\n2,\n") == "l, line 2: '2,' is not a pair of numbers");
  CHECK(refusal("hello\n") == "l, line 1: 'hello' is not a number: this is not a list");
  CHECK(refusal("1\n\xff\n") == "l, line 2: it contains a byte that no number has");
  CHECK(refusal(R"({"type":"journal","schema":1})") ==
        "l: it is a journal; `tmd resume` writes the list of what it holds");
  CHECK(refusal(R"({"type":"device"})") == "l: its records begin with `device`: they are not those of a search");
  const job::Job job = some_job();
  std::string records = json_lines(job, some_run(), some_result(job));
  records.erase(records.rfind('\n', records.size() - 2) + 1);
  CHECK(refusal(records) == "l: it is cut off: the record at the end, `summary`, is missing");
}

TEST_CASE("a table is read by the names of its columns") {
  const CaseList list = parse_case_list("# a comment\nfunction\tx\tbits\tkind\nexp\t0x1p0\t44.5\tR\nlog 2 45 M\n", "l");
  REQUIRE(list.entries.size() == 2);
  CHECK(list.entries[0].x == "0x1p0");
  CHECK(list.entries[0].bits == 44.5);
  CHECK(list.entries[0].breakpoint == Breakpoint::representable);
  CHECK(list.entries[1].function == "log");
  CHECK(list.entries[1].breakpoint == Breakpoint::midpoint);
  CHECK(message_of([] { (void)parse_case_list("x kind\n1 S\n", "l"); }) ==
        "l, line 2: 'S' is not a kind of breakpoint");
  CHECK(message_of([] { (void)parse_case_list("x kind\n1\n", "l"); }) == "l, line 2: the table has 2 columns, not 1");
}

TEST_CASE("packed files are read, damaged ones are refused") {
  const TemporaryFolder folder;
  const auto file = [&](const char* name) { return folder.path() / name; };
  std::string text;
  for (int i = 0; i < 20000; ++i)
    text += std::to_string(i) + "\n";
  std::ofstream(file("plain")) << text;
  CHECK(support::read_file(file("plain")) == text);
  for (const auto& [program, name] : {std::pair("gzip", "packed.gz"), std::pair("xz", "packed.xz")}) {
    const std::string command =
        std::string(program) + " -c " + file("plain").string() + " > " + file(name).string() + " 2>/dev/null";
    if (std::system(command.c_str()) != 0) { // NOLINT(cert-env33-c): a program of every Debian
      MESSAGE("not tried: there is no ", program);
      continue;
    }
    CHECK(support::read_file(file(name)) == text);
    const std::string packed = contents(file(name));
    std::ofstream(file("twice"), std::ios::binary) << packed << packed;
    CHECK(support::read_file(file("twice")) == text + text);
    std::ofstream(file("cut"), std::ios::binary) << packed.substr(0, packed.size() - 20);
    CHECK(message_of([&] { (void)support::read_file(file("cut")); }) ==
          "cannot read '" + file("cut").string() + "': it is damaged or cut off");
    std::string damaged = packed;
    damaged[packed.size() / 2] ^= 1;
    std::ofstream(file("damaged"), std::ios::binary) << damaged;
    CHECK(message_of([&] { (void)support::read_file(file("damaged")); }).find("it is damaged or cut off") !=
          std::string::npos);
  }
  CHECK(message_of([&] { (void)support::read_file(file("none")); }).find("No such file") != std::string::npos);
}

} // namespace tmd::result
