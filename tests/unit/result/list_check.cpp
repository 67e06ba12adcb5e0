// Lists with planted mistakes: each is named.
#include "host/result/list_check.hpp"
#include "host/function/catalogue.hpp"

#include <doctest/doctest.h>

#include <string>

namespace tmd::result {

namespace {

// exp on [1, 1 + 2^-32), K = 20: four cases.
constexpr const char* cases[] = {"0x1.0000000050418p+0 22", "0x1.0000000002d96p+0 21", "0x1.000000008e156p+0 20",
                                 "0x1.00000000927ffp+0 20"};

job::Job small_job() {
  job::Job job;
  job.function = &function::find_function("exp");
  job.format = find_format("binary64");
  job.K = 20;
  job.first = job.arguments().parse("1", "");
  job.last = job.arguments().parse("0x1.00000001p+0", "");
  return job;
}

JudgedList judged(const std::string& text) {
  return judge_list(parse_case_list(text, "list"), small_job(), small_job().range());
}

std::string all_but(std::size_t left_out) {
  std::string text;
  for (std::size_t i = 0; i < std::size(cases); ++i)
    if (i != left_out)
      text += std::string(cases[i]) + "\n";
  return text;
}

constexpr std::size_t none = std::size(cases);

// The only mistake of the whole list with one line more.
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
  CHECK(mistake_of("0x1.0000000050418p+0").sentence == "same as line 1");
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

TEST_CASE("what has no distance from a breakpoint is no case, and the entries behind it are looked at") {
  job::Job job = small_job();
  job.function = &function::find_function("sinh");
  job.first = 0;
  job.last = job.arguments().end();
  for (const Values values : {Values::format, Values::unbounded}) {
    job.values = values;
    const JudgedList list = judge_list(parse_case_list("0x1.fffffffffffffp+1023\n2\n", "l"), job, job.range());
    REQUIRE(list.mistakes.size() == 2);
    CHECK(list.mistakes[0].kind == Mistake::Kind::superfluous);
    CHECK(list.mistakes[0].sentence == "no case: the value overflows");
    CHECK(list.mistakes[1].line == 2);
  }
  job.values = Values::format;
  job.rounding = Rounding::nearest; // on the other grids 0 is an exact case
  job.function = &function::find_function("sinpi");
  const JudgedList zero = judge_list(parse_case_list("2\n", "l"), job, job.range());
  REQUIRE(zero.mistakes.size() == 1);
  CHECK(zero.mistakes[0].sentence == "no case: the value is 0");
  job.function = &function::find_function("log");
  const JudgedList pole = judge_list(parse_case_list("0\n", "l"), job, job.range());
  REQUIRE(pole.mistakes.size() == 1);
  CHECK(pole.mistakes[0].kind == Mistake::Kind::unusable);
}

TEST_CASE("a list's own K decides what is superfluous, its ranges what is missing, its gaps what it covers") {
  const std::string head =
      "# Hard-to-round cases of exp on [1, 2), binary64 with arguments of 53 bits, breakpoints: all, K = ";
  job::Job job = small_job();
  job.K = 22;
  const auto judge = [&](const std::string& text) { return judge_list(parse_case_list(text, "l"), job, job.range()); };
  CHECK(judge(head + "20.\n" + all_but(none)).mistakes.empty());
  CHECK(judge(all_but(none)).mistakes.size() == 3);

  const std::string in_a_range = "# Range [0x1p+0, 0x1.0000000050418p+0]: 9 arguments, every one a case: f(x) > 1\n";
  CHECK(compare_lists(judged(head + "20.\n" + in_a_range), judged(all_but(none)), small_job()).missing.size() == 2);
  const std::string gap = "# Range [0x1p+0, 0x1.8p+0]: 9 arguments not searched, for it is in none of the parts\n";
  const CaseList list = parse_case_list(head + "20.\n" + gap, "l");
  const format::ArgumentSet set = job.arguments();
  CHECK(covered(list, set) == job::Coverage(set.parse("0x1.8p+0", "") + 1, set.parse("2", "")));
}

TEST_CASE("a case that is nearer than 2^-K by less than its bits can tell is one") {
  job::Job job = small_job();
  job.function = &function::find_function("recip");
  job.K = 44;
  const JudgedList list = judge_list(parse_case_list("0x1.0000000000008p+0\n", "l"), job, job.range());
  CHECK(list.mistakes.empty());
  CHECK(compare_lists({}, list, job).missing.size() == 1);
}

} // namespace tmd::result
