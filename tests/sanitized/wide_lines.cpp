// The wide test, from the kernels' own text: no argument closer than ε to a breakpoint is missed, in whatever group.
#include "host/engine/wide/constants.hpp"
#include "sanitized/wide_builds.hpp"
#include "thorough.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace {

// Counts what the filter does, beside the walk.
struct Filtered {
  u64 usable = 0;
  u64 runs = 0;
  u64 stopped = 0;
};
Filtered filtered;

// F as a device evaluates it, in units of 2^−64, with an error of some of them.
struct Evaluated {
  const tmd::Group& group;
  u64 operator()(i32 i) const {
    constexpr u64 most_off = 9;
    const auto mixed = static_cast<u64>(i) * 0x9e3779b97f4a7c15;
    return group.value_in_64_bits(i) + (mixed >> 32) % (2 * most_off + 1) - most_off;
  }
};

struct Build {
  void (*group)(const tmd::Trial&, const tmd::GivenGroup&, tmd::Found&);
  void (*filtered)(const tmd::Trial&, const tmd::GivenGroup&, tmd::Found&);
  void (*without_chords)(const tmd::Trial&, const tmd::GivenGroup&, tmd::Found&);
  bool (*part)(const tmd::GivenGroup&, std::vector<i32>&);
};

template <typename How, typename Lines>
void filter_group(const Lines& l, const tmd::Trial& t, const tmd::GivenGroup& g, tmd::Found& found) {
  tmd::walk_filtered_group(l, g, Evaluated{t.group}, found, filtered.runs, filtered.stopped, How());
  filtered.usable += filter_of(&l, g.half_width).usable != 0;
}

template <auto lines_of_group>
constexpr Build build = {
    [](const tmd::Trial& t, const tmd::GivenGroup& g, tmd::Found& found) {
      tmd::walk_group(lines_of_group(g), g, Evaluated{t.group}, found);
    },
    [](const tmd::Trial& t, const tmd::GivenGroup& g, tmd::Found& found) {
      filter_group<tmd::AsItIs>(lines_of_group(g), t, g, found);
    },
    [](const tmd::Trial& t, const tmd::GivenGroup& g, tmd::Found& found) {
      filter_group<tmd::WithoutChords>(lines_of_group(g), t, g, found);
    },
    [](const tmd::GivenGroup& g, std::vector<i32>& to) { return tmd::walk_part(lines_of_group(g), g.half_width, to); }};
constexpr std::array<Build, 4> builds = {
    build<exact::divisions::lines_of_group>, build<exact::reciprocals::lines_of_group>,
    build<sloppy::divisions::lines_of_group>, build<sloppy::reciprocals::lines_of_group>};

class Examination {
public:
  // wholly: asks for all arguments that must be found, not only the known one.
  void ask(const Build& build, const tmd::Trial& t, bool wholly) {
    wanted_.clear();
    if (wholly)
      t.group.enumerate(wanted_);
    else
      wanted_.push_back(t.hit);
    lost_hits_ += wholly && std::find(wanted_.begin(), wanted_.end(), t.hit) == wanted_.end();
    const tmd::GivenGroup given = t.given();
    ++groups_;
    hits_ += wanted_.size();
    tmd::Found found(given);
    const bool has_chords = groups_ / 8 % 4 != 0;
    (has_chords ? build.filtered : build.without_chords)(t, given, found);
    if (has_chords && &build - builds.data() < 2) { // the others err at random, so they may keep other arguments
      tmd::Found all(given);
      build.group(t, given, all);
      different_ += all.refused != found.refused;
      for (const i32 i : found.candidates)
        different_ += !all.keeps(i) && !all.puts_off(i);
    }
    chords_ += found.chords;
    outside_ += found.outside;
    refused_ += found.refused;
    put_off_ += found.parts.size();
    arguments_ += 2 * static_cast<u64>(t.group.half_width());
    kept_ += found.candidates.size();
    put_off_wanted_.clear();
    for (const i32 i : wanted_)
      if (found.puts_off(i))
        put_off_wanted_.push_back(i);
      else if (!found.keeps(i) && missed_++ < 5)
        report(t, i);
    if (!put_off_wanted_.empty())
      ask_parts(build, t);
  }

  // Shares of the groups, of their parts, and of the arguments that are kept: a test that keeps all would be sound, and
  // useless.
  void check(double most_refused, double most_swept, double most_kept, double most_kept_of_parts) const {
    INFO(groups_ << " groups, " << refused_ << " refused, " << chords_ << " chords, put off "
                 << double(put_off_) / double(groups_) << ", kept " << double(kept_) / double(arguments_) << ", "
                 << parts_ << " parts, " << swept_ << " swept, kept "
                 << double(kept_of_parts_) / double(arguments_of_parts_) << ", hits " << hits_);
    CHECK(missed_ == 0);
    CHECK(different_ <= groups_ / 25000); // residues may be other numbers of the same class
    CHECK(lost_hits_ == 0);
    CHECK(outside_ == 0);
    CHECK(chords_ > groups_ / 100);
    CHECK(double(refused_) < most_refused * double(groups_));
    CHECK(double(swept_) < most_swept * double(parts_));
    CHECK(double(kept_) < most_kept * double(arguments_));
    CHECK(double(kept_of_parts_) < most_kept_of_parts * double(arguments_of_parts_));
    CHECK(hits_ >= groups_);
    CHECK(2 * filtered.usable > groups_ - refused_);
    CHECK(3 * filtered.stopped > filtered.runs);
  }

private:
  // Postponed groups are searched in parts, here also in smaller ones than usual; refused parts, argument by argument.
  void ask_parts(const Build& build, const tmd::Trial& t) {
    searched_ = 0; // it has no centre
    const int usual = tmd::engine::wide::part_bits_of(t.group.half_bits + 1);
    ++asked_;
    const int part_bits = std::min(asked_ / 8 % 2 == 0 ? usual : std::max(usual, 5), t.group.half_bits - 1);
    const i32 half = t.group.half_width() >> part_bits;
    for (const i32 i : put_off_wanted_) {
      if (asked_ % 8 != 0 && i != t.hit)
        continue;
      const i32 centre = (i & -(2 * half)) + half;
      if (centre != searched_) {
        tmd::Trial part = t;
        part.group = t.group.part(t.group.half_bits - part_bits, centre);
        searched_ = centre;
        candidates_.clear();
        is_swept_ = build.part(part.given(), candidates_);
        ++parts_;
        swept_ += is_swept_;
        if (!is_swept_) {
          arguments_of_parts_ += 2 * static_cast<u64>(half);
          kept_of_parts_ += candidates_.size();
        }
      }
      if (!is_swept_ && std::find(candidates_.begin(), candidates_.end(), i - centre) == candidates_.end() &&
          missed_++ < 5)
        report(t, i);
    }
  }

  static void report(const tmd::Trial& t, i32 missed) {
    const tmd::GivenGroup g = t.given();
    MESSAGE("missed " << missed << ": M 2^" << t.group.half_bits << ", c0 " << g.c0 << ", c1 " << g.c1 << ", c2M2 "
                      << g.c2M2 << ", epsilon " << t.group.epsilon << ", error " << g.error << ", limit "
                      << g.denominator_limit << ", lines " << g.most_lines << ", noise " << t.noise);
  }

  std::vector<i32> wanted_;
  std::vector<i32> put_off_wanted_;
  std::vector<i32> candidates_; // arguments of a part
  i32 searched_ = 0;
  bool is_swept_ = false;
  u64 groups_ = 0;
  u64 refused_ = 0;
  u64 chords_ = 0;
  u64 outside_ = 0;
  u64 put_off_ = 0; // parts of groups that are not refused
  u64 asked_ = 0;   // groups of which wanted arguments are postponed
  u64 parts_ = 0;
  u64 swept_ = 0;
  u64 arguments_ = 0;
  u64 arguments_of_parts_ = 0;
  u64 hits_ = 0;
  u64 kept_ = 0;
  u64 kept_of_parts_ = 0;
  u64 missed_ = 0;
  u64 different_ = 0; // refused or kept with the filter alone
  u64 lost_hits_ = 0;
};

} // namespace

TEST_CASE("wide lines: every argument of small groups") {
  tmd::Random random(1);
  Examination examination;
  for (u64 i = 0; i < tmd::test::trials(6000000, 8); ++i)
    examination.ask(builds[i / 4 % 2], random_trial(random, i % 4 == 3 ? 7 : 6, -20, -4), true);
  examination.check(0.5, 0.1, 0.02, 0.8);
}

TEST_CASE("wide lines: small groups on devices that err") {
  tmd::Random random(2);
  Examination examination;
  for (u64 i = 0; i < tmd::test::trials(1000000, 8); ++i)
    examination.ask(builds[2 + i % 2], random_trial(random, 6, -20, -4), true);
  examination.check(0.5, 0.1, 0.02, 0.8);
}

TEST_CASE("wide lines: one argument of larger groups") {
  tmd::Random random(3);
  Examination examination;
  for (u64 i = 0; i < tmd::test::trials(3000000, 8); ++i)
    examination.ask(builds[i % 4], random_trial(random, 8 + static_cast<int>(i / 8 % 5), -20, -4), i / 64 % 64 == 0);
  examination.check(0.6, 0.1, 0.002, 0.3);
}

TEST_CASE("wide lines: one argument of groups as large as any") {
  tmd::Random random(4);
  Examination examination;
  for (u64 i = 0; i < tmd::test::trials(1500000, 8); ++i)
    examination.ask(builds[i % 4], random_trial(random, 20 + static_cast<int>(i / 8 % 7), -45, -16), false);
  examination.check(0.8, 0.4, 1e-5, 1e-3);
}

TEST_CASE("wide lines: groups where rounding decides") {
  tmd::Random random(5);
  Examination examination;
  for (u64 i = 0; i < tmd::test::trials(1000000, 8); ++i)
    examination.ask(builds[i % 4], rounding_trial(random), false);
  examination.check(0.6, 0.03, 1e-5, 1e-3);
}
