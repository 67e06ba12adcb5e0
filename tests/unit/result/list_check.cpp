// Lists with planted mistakes: each is named.
#include "host/result/list_check.hpp"
#include "host/function/catalogue.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace tmd;

namespace {

// exp on [1, 1 + 2^-32), K = 20: four cases.
constexpr const char* cases[] = {"0x1.0000000050418p+0 22", "0x1.0000000002d96p+0 21", "0x1.000000008e156p+0 20",
                                 "0x1.00000000927ffp+0 20"};

Job small_job() {
  Job job;
  job.function = &find_function("exp");
  job.format = find_format("binary64");
  job.bits = 20;
  job.first = job.arguments().parse("1", "");
  job.last = job.arguments().parse("0x1.00000001p+0", "");
  return job;
}

JudgedList judged(const std::string& text) { return judge_list(parse_case_list(text, "list"), small_job()); }

std::string all_but(std::size_t left_out) {
  std::string text;
  for (std::size_t i = 0; i < std::size(cases); ++i)
    if (i != left_out)
      text += std::string(cases[i]) + "\n";
  return text;
}

constexpr std::size_t none = std::size(cases);

// The only mistake of the whole list with this line more.
Mistake mistake_of(const std::string& line) {
  const JudgedList list = judged(all_but(none) + line + "\n");
  REQUIRE(list.mistakes.size() == 1);
  CHECK(list.mistakes.front().line == std::size(cases) + 1);
  return list.mistakes.front();
}

} // namespace

TEST_CASE("a list that is right has no mistakes and misses nothing") {
  const JudgedList list = judged(all_but(none) + "2\n");
  CHECK(list.mistakes.empty());
  CHECK(list.arguments.size() == 4);
  CHECK(list.outside == 1);
  const Completeness compared = compare_lists(list, list, small_job());
  CHECK(compared.missing.empty());
  CHECK(compared.extra.empty());
  REQUIRE(compared.binades.size() == 1);
  CHECK(compared.binades[0].exponent == 0);
  CHECK(compared.binades[0].cases == 4);
  CHECK(compared.binades[0].complete_from == 20);
}

TEST_CASE("a case that is left out is missing, and the list is complete above it only") {
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    const Completeness compared = compare_lists(judged(all_but(i)), judged(all_but(none)), small_job());
    REQUIRE(compared.missing.size() == 1);
    const std::string text = cases[i];
    CHECK(compared.missing[0].x == text.substr(0, text.find(' ')));
    CHECK(compared.binades[0].missing == 1);
    CHECK(std::to_string(compared.binades[0].complete_from).substr(0, 2) == text.substr(text.find(' ') + 1));
    const Completeness other_way = compare_lists(judged(all_but(none)), judged(all_but(i)), small_job());
    CHECK(other_way.extra.size() == 1);
    CHECK(other_way.missing.empty());
  }
}

TEST_CASE("entries that are wrong are named with their lines") {
  CHECK(mistake_of("0x1.0000000050419p+0").kind == Mistake::Kind::superfluous);
  CHECK(mistake_of("0x1.0000000050418p+0").sentence == "stands in line 1 already");
  CHECK(mistake_of("0x1.00000000504188p+0").kind == Mistake::Kind::unusable);
  CHECK(mistake_of("twelve").sentence == "no number of binary64 with 53 bits");
  const JudgedList one = judged("0x1.0000000050418p+0 23\n");
  REQUIRE(one.mistakes.size() == 1);
  CHECK(one.mistakes[0].kind == Mistake::Kind::misclassed);
  CHECK(one.mistakes[0].sentence == "22 equal bits, not 23");
}

TEST_CASE("records that are wrong are named") {
  const auto sentence = [](const std::string& record) {
    const JudgedList list = judged(record + "\n");
    REQUIRE(list.mistakes.size() <= 1);
    return list.mistakes.empty() ? "" : list.mistakes[0].sentence;
  };
  CHECK(sentence(R"({"type":"case","x":"0x1.0000000050418p+0","bits":22.0988,"breakpoint":"representable"})").empty());
  CHECK(sentence(R"({"type":"case","x":"0x1.0000000050418p+0","bits":22.0989,"breakpoint":"representable"})") ==
        "22.0988 bits, not 22.0989");
  CHECK(sentence(R"({"type":"case","x":"0x1.0000000050418p+0","bits":22.0988,"breakpoint":"midpoint"})") ==
        "its breakpoint is representable, not midpoint");
  CHECK(sentence(R"({"type":"exact","x":"0x1.0000000050418p+0","breakpoint":"representable"})") == "hard, not exact");
}

TEST_CASE("cases in a range of the complete list are not looked for one by one") {
  const JudgedList complete =
      judged(R"({"type":"range","first":"0x1.000000008e156p+0","last":"0x1.00000000927ffp+0","cases":"all"})"
             "\n"
             R"({"type":"range","first":"0x1p+0","last":"0x1.0000000050418p+0","cases":"none"})");
  const Completeness compared = compare_lists(judged(all_but(none)), complete, small_job());
  CHECK(compared.missing.empty());
  CHECK(compared.extra.size() == 2);
}
