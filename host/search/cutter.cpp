// The range is divided into ranges whose cases are known and stretches to be searched. A stretch is claimed whole by an
// engine, or cut into pieces, which go to the devices. What was known before is compared with what comes out.
#include "search/cutter.hpp"

#include "job/pieces.hpp"
#include "job/regimes.hpp"
#include "tmd/error.hpp"
#include "verify/confirm.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tmd {

Cutter::Cutter(const Job& job, const SearchHooks& hooks, const Claims& claims, const Coverage& to_do,
               const std::vector<RegimeRange>& known, Interrupt interrupted, Dispatcher& dispatcher, Accounts& accounts)
    : job_(job), hooks_(hooks), claims_(claims), to_do_(to_do), known_(known), interrupted_(std::move(interrupted)),
      dispatcher_(dispatcher), accounts_(accounts) {}

void Cutter::cut() {
  if (hooks_.fields != nullptr)
    for (const Field& field : *hooks_.fields)
      add(field);
  else if (!to_do_.empty())
    cut_range();
  accounts_.complete();
  dispatcher_.complete();
}

void Cutter::cut_range() {
  const Coverage all = range_to_cut(job_, hooks_);
  const auto take_regime = [this](const RegimeRange& range) {
    compare_known(range.ranks, range.regime);
    for (const auto& [first, last] : to_do_.within(range.ranks.first, range.ranks.last))
      settle({{first, last}, range.regime});
  };
  Coverage proven;
  for (const RegimeRange& range : hooks_.proven)
    for (const auto& [first, last] : all.within(range.ranks.first, range.ranks.last)) {
      proven.add(first, last);
      take_regime({{first, last}, range.regime});
    }
  divide(job_, proven.complement_in(all), interrupted_, take_regime, [this](const Stretch& rest) {
    compare_known(ranks_of_all(rest), {});
    cut(rest);
  });
}

Coverage range_to_cut(const Job& job, const SearchHooks& hooks) {
  const RankInterval& ranks = hooks.cut_range;
  if (ranks == RankInterval{})
    return hooks.only != nullptr ? *hooks.only : job.range();
  Job whole = job;
  whole.first = ranks.first;
  whole.last = ranks.last;
  return whole.range();
}

RankInterval Cutter::ranks_of_all(const Stretch& stretch) const {
  return ranks_of(job_.arguments(), stretch, 0, stretch.count);
}

namespace {

// What is said of the arguments, before and behind their number.
std::pair<std::string_view, std::string_view> words_of(const Regime& regime) {
  return regime.rule       ? std::pair("all", "are cases")
         : regime.is_exact ? std::pair("all", "are exact")
         : regime.some     ? std::pair("some of", "are cases")
                           : std::pair("none of", "is a case");
}

} // namespace

// What an earlier run says of ranges was proven as it is now, or else by the binades of their values.
void Cutter::compare_known(const RankInterval& ranks, const std::optional<Regime>& proven) const {
  for (auto known = std::partition_point(known_.begin(), known_.end(),
                                         [&](const RegimeRange& one) { return one.ranks.last <= ranks.first; });
       known != known_.end() && known->ranks.first < ranks.last; ++known) {
    const RankInterval both{std::max(ranks.first, known->ranks.first), std::min(ranks.last, known->ranks.last)};
    const auto& [who, what] = words_of(known->regime);
    if (proven ? !(known->regime == *proven) : !(known->regime == Regime{}) || !is_out_of_reach(both, ranks))
      throw SoundnessError(fmt::format("an earlier run is said to have proven that {} the {} arguments from {} on {}, "
                                       "but it is not so",
                                       who, to_string(static_cast<uint128>(both.last - both.first)),
                                       to_hex(job_.arguments().at(both.first)), what));
  }
}

// Whether these ranks are of binades without breakpoints, in the pieces into which all of a stretch is cut.
bool Cutter::is_out_of_reach(const RankInterval& some, const RankInterval& stretch) const {
  const Coverage out = out_of_reach(job_, Coverage(stretch.first, stretch.last), interrupted_);
  const Coverage ranks(some.first, some.last);
  return out.intersection(ranks) == ranks;
}

void Cutter::cut(const Stretch& stretch) {
  Coverage rest = add_claims(stretch);
  if (rest.empty())
    return;
  // By what nobody claims of the whole stretch, so that all shards are cut in the same places.
  for (const Stretch& left : claimed_parts(claims_, stretch).left) {
    const RankInterval ranks = ranks_of_all(left);
    const Coverage of_left = rest.intersection(Coverage(ranks.first, ranks.last));
    rest = of_left.complement_in(rest);
    if (!of_left.empty())
      cut_left(left, of_left);
  }
  cut_pieces_of(rest); // of what is claimed as a whole, parts that are too short to be
}

// Adds what engines claim of what is to be done of a stretch. Returns the ranks of the rest.
Coverage Cutter::add_claims(const Stretch& stretch) {
  Coverage rest;
  const RankInterval whole = ranks_of_all(stretch);
  for (const auto& [first, last] : to_do_.within(whole.first, whole.last))
    for (const Stretch& part : stretches(job_.arguments(), first, last)) {
      const ClaimedParts claimed = claimed_parts(claims_, part);
      for (const Field& field : claimed.fields)
        add(field);
      for (const Stretch& left : claimed.left) {
        const RankInterval ranks = ranks_of_all(left);
        rest.add(ranks.first, ranks.last);
      }
    }
  return rest;
}

// A run that nobody claims, of which these ranks are to be done.
void Cutter::cut_left(const Stretch& left, const Coverage& of_left) {
  if (hooks_.leaves_out && has_too_many_pieces(job_, left))
    for (const auto& [first, last] : of_left.intervals())
      leave_out({first, last});
  else if (hooks_.only == nullptr)
    cut_pieces(left, of_left);
  else // nothing goes on from samples: they need not be cut as the whole is
    cut_pieces_of(of_left);
}

void Cutter::cut_pieces_of(const Coverage& ranks) {
  for (const auto& [first, last] : ranks.intervals())
    for (const Stretch& part : stretches(job_.arguments(), first, last))
      cut_pieces(part, ranks);
}

// What `rest` has of a stretch, ranks.
void Cutter::cut_pieces(const Stretch& stretch, const Coverage& rest) {
  const BreakpointGrid grid = job_.grid();
  const RankInterval whole = ranks_of_all(stretch);
  if (hooks_.only != nullptr && has_only_short_pieces(job_, stretch)) {
    for (const auto& [first, last] : rest.within(whole.first, whole.last))
      add_all({first, last}, std::nullopt);
    return;
  }
  uint128 open = rest.intersection(Coverage(whole.first, whole.last)).size();
  PieceCutter cutter(job_, stretch, interrupted_);
  while (open > 0) { // what lies behind may have very many pieces
    const auto piece = cutter.next();
    if (!piece)
      return;
    const RankInterval ranks = ranks_of_all(piece->arguments);
    for (const auto& [first, last] : rest.within(ranks.first, ranks.last)) {
      open -= static_cast<uint128>(last - first);
      if (piece->values && !grid.reaches(piece->values->exponent, job_.bits))
        settle({{first, last}, {}});
      else
        add_all({first, last}, piece->values);
    }
  }
}

void Cutter::add_all(const RankInterval& ranks, const std::optional<OutputBinade>& values) {
  for (const Stretch& part : stretches(job_.arguments(), ranks.first, ranks.last))
    add(Field::of({part, values}));
}

void Cutter::add(Field field) {
  const Coverage done = accounts_.enter(field);
  if (!dispatcher_.add(field, done))
    throw Interrupted();
}

// A regime was proven in Arb; MPFR says of some of its arguments whether they are cases, where it has numbers of that
// size.
void Cutter::settle(const RegimeRange& range) {
  constexpr long enough_precision = 1L << 16; // for values so near to a breakpoint that it would take far more to tell
  Function function = *job_.function;
  function.most_precision = std::min(function.most_precision, enough_precision);
  const Confirmation confirmation(function, job_.grid(), job_.bits);
  const auto& rule = range.regime.rule;
  const auto& [first, last] = range.ranks;
  std::vector<ArgumentSet::Rank> ranks{first, first + (last - first) / 2, last - 1};
  if (const auto& some = range.regime.some) {
    const std::vector<ArgumentSet::Rank> cases = some->at_ends(range.ranks);
    ranks.insert(ranks.end(), cases.begin(), cases.end());
  }
  for (const ArgumentSet::Rank rank : ranks) {
    const Argument x = job_.arguments().at(rank);
    const auto [found, distance, is_enclosed] = confirmation.judge(x);
    if (!is_enclosed)
      continue;
    const bool is_exact = found && found->kind == Case::Kind::exact;
    const bool is_open = rule && rule->side == Side::undecided; // it may be exact
    if (range.regime.is_exact && found && found->kind != Case::Kind::hard)
      continue; // of an expression MPFR may not know that it is exact
    if ((is_exact && !is_open) || found.has_value() != range.is_case(rank) || range.regime.is_exact ||
        (rule && rule->breakpoint && *rule->breakpoint != found->breakpoint))
      throw SoundnessError(fmt::format("{} is proven to be {} like its neighbours, but MPFR finds that it is not",
                                       to_hex(x),
                                       range.is_case(rank)     ? "a case"
                                       : range.regime.is_exact ? "exact"
                                                               : "none"));
  }
  dispatcher_.skip(range.size());
  accounts_.settle(range);
}

void Cutter::leave_out(const RankInterval& ranks) {
  dispatcher_.skip(static_cast<uint128>(ranks.last - ranks.first));
  accounts_.leave_out(ranks);
}

} // namespace tmd
