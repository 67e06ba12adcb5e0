// An audit by other boxes is PowerRun's; pairs decided one by one share nothing with boxes, but can only be few.
#include "pairs/power_audit.hpp"

#include "number/in_parallel.hpp"
#include "number/random.hpp"
#include "pairs/pair_check.hpp"
#include "support/stopwatch.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace tmd::pairs {

namespace {

constexpr std::uint64_t pairs_at_once = 256;

// Each pair of the lines is as likely as any other: lines that have fewer pairs than the longest are rejected as often.
Operands random_pair(const PowerLines& lines, std::uint32_t longest, const job::Coverage& of, number::Random& random) {
  for (;;) {
    const auto line = static_cast<std::uint64_t>(
        of.slice(random.below(static_cast<std::uint64_t>(of.size())), 1).intervals().front().first);
    const engine::boxes::PowerRectangle r = lines.rectangles(line, line + 1).front();
    const std::uint64_t number = random.below(longest);
    if (number < r.y_end - r.y_first)
      return operands_of(r, {r.x_first, r.y_first + static_cast<std::uint32_t>(number)});
  }
}

} // namespace

AuditedPairs decide_random_pairs(const PairJob& job, const PowerLines& lines, const job::Coverage& of,
                                 std::uint64_t most, double seconds, unsigned threads, std::uint64_t seed,
                                 const engine::Interrupt& interrupted) {
  const auto start = std::chrono::steady_clock::now();
  const std::uint32_t longest = lines.longest();
  std::atomic<std::uint64_t> decided = 0;
  std::vector<std::vector<PairCase>> found(std::max(threads, 1U));
  number::in_parallel((most + pairs_at_once - 1) / pairs_at_once, threads, [&](std::uint64_t task, unsigned thread) {
    if ((interrupted && interrupted()) || (seconds > 0 && support::seconds_since(start) > seconds))
      return;
    number::Random random(seed + task);
    const std::uint64_t count = std::min(pairs_at_once, most - task * pairs_at_once);
    for (std::uint64_t i = 0; i < count; ++i) {
      const Operands operands = random_pair(lines, longest, of, random);
      const bool is_sum = job.function->takes_integer && operands[1] == Argument{false, 1, 0}; // (1 + x)^1
      if (is_sum || job.function->special(format::to_mpfr(operands[0]), format::to_mpfr(operands[1])))
        continue;
      const std::optional<Case> one = confirm_pair(job, operands);
      if (one && one->kind == Case::Kind::hard && !is_in_family(job, operands))
        found[thread].push_back({operands, *one});
    }
    decided += count;
  });
  AuditedPairs audit;
  for (std::vector<PairCase>& some : found)
    std::move(some.begin(), some.end(), std::back_inserter(audit.cases));
  audit.report = {"direct", "one by one", decided, audit.cases.size(), 0, support::seconds_since(start), seed};
  return audit;
}

void require_same_cases(const PairJob& job, const std::vector<PairCase>& search, const AuditedPairs& audit,
                        const std::function<bool(const Operands&)>& looked_at) {
  const auto texts_of = [&](const std::vector<PairCase>& cases) {
    std::set<std::string> texts;
    for (const PairCase& one : cases)
      texts.insert(to_text(*job.function, one.operands));
    return texts;
  };
  const auto fail = [&](std::string_view found, const PairCase& one) {
    throw SoundnessError(
        fmt::format("the audit of {} {} {} {}; one of the two is wrong, and nothing of the run can be trusted",
                    job.function->name, audit.report.way, found, to_text(*job.function, one.operands)));
  };
  const std::set<std::string> known = texts_of(search);
  for (const PairCase& one : audit.cases)
    if (!known.contains(to_text(*job.function, one.operands)))
      fail("has found a case that the search has missed:", one);
  const std::set<std::string> found = texts_of(audit.cases);
  for (const PairCase& one : search)
    if (looked_at(one.operands) && !found.contains(to_text(*job.function, one.operands)))
      fail("has missed a case that the search has found:", one);
}

} // namespace tmd::pairs
