// How the range is cut: regimes are separated from stretches to be searched. A stretch is claimed whole by an engine,
// or cut into pieces, which go to the devices. What an earlier run knew is compared with what comes out.
#include "search/cutter.hpp"

#include "job/pieces.hpp"
#include "job/regime_joiner.hpp"
#include "tmd/error.hpp"
#include "verify/confirm.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace tmd::searches {

Cutter::Cutter(const job::Job& job, const SearchHooks& hooks, const Claims& claims, const job::Coverage& to_do,
               const std::vector<job::RegimeRange>& known, engine::Interrupt interrupted, Dispatcher& dispatcher,
               Accounts& accounts)
    : job_(job), hooks_(hooks), claims_(claims), to_do_(to_do), known_(known), interrupted_(std::move(interrupted)),
      dispatcher_(dispatcher), accounts_(accounts) {}

void Cutter::cut() {
  if (hooks_.fields != nullptr)
    for (const engine::Field& field : *hooks_.fields)
      add(field);
  else if (!to_do_.empty())
    cut_range();
  accounts_.complete();
  dispatcher_.complete();
}

void Cutter::cut_range() {
  const job::Coverage all = range_to_cut(job_, hooks_);
  const auto take_regime = [this](const job::RegimeRange& range) {
    compare_known(range.ranks, range.regime);
    for (const auto& [first, last] : to_do_.within(range.ranks.first, range.ranks.last))
      add_regime({{first, last}, range.regime});
  };
  job::Coverage proven;
  for (const job::RegimeRange& range : hooks_.proven)
    for (const auto& [first, last] : all.within(range.ranks.first, range.ranks.last)) {
      proven.add(first, last);
      take_regime({{first, last}, range.regime});
    }
  const bool joins = hooks_.joins_claims && job_.function->phase.has_value(); // then all claims have to be known first
  std::vector<ToCut> waiting;
  job::divide(job_, proven.complement_in(all), interrupted_, take_regime, [&](const job::Stretch& rest) {
    compare_known(ranks_of_all(rest), {});
    ToCut next = to_cut(rest);
    if (joins)
      waiting.push_back(std::move(next));
    else
      cut(std::move(next));
  });
  add_families(waiting);
  for (ToCut& one : waiting)
    cut(std::move(one));
}

job::Coverage range_to_cut(const job::Job& job, const SearchHooks& hooks) {
  const job::RankInterval& ranks = hooks.cut_range;
  if (ranks == job::RankInterval{})
    return hooks.only != nullptr ? *hooks.only : job.range();
  job::Job whole = job;
  whole.first = ranks.first;
  whole.last = ranks.last;
  return whole.range();
}

job::RankInterval Cutter::ranks_of_all(const job::Stretch& stretch) const {
  return job::ranks_of(job_.arguments(), stretch, 0, stretch.count);
}

namespace {

// The words before and after the number of arguments in a message.
std::pair<std::string_view, std::string_view> words_of(const job::Regime& regime) {
  return regime.rule       ? std::pair("all", "are cases")
         : regime.is_exact ? std::pair("all", "are exact")
         : regime.some     ? std::pair("some of", "are cases")
                           : std::pair("none of", "is a case");
}

} // namespace

// A regime of an earlier run must be proven now, too, or lie in binades without breakpoints.
void Cutter::compare_known(const job::RankInterval& ranks, const std::optional<job::Regime>& proven) const {
  for (auto known = std::partition_point(known_.begin(), known_.end(),
                                         [&](const job::RegimeRange& one) { return one.ranks.last <= ranks.first; });
       known != known_.end() && known->ranks.first < ranks.last; ++known) {
    const job::RankInterval both{std::max(ranks.first, known->ranks.first), std::min(ranks.last, known->ranks.last)};
    const auto& [who, what] = words_of(known->regime);
    if (proven ? !(known->regime == *proven) : !(known->regime == job::Regime{}) || !is_out_of_reach(both, ranks))
      throw SoundnessError(fmt::format("the earlier run's record says that {} the {} arguments from {} on {}, but this "
                                       "run does not confirm it",
                                       who, to_string(static_cast<uint128>(both.last - both.first)),
                                       to_hex(job_.arguments().at(both.first)), what));
  }
}

// Whether these ranks lie in output binades without breakpoints, according to the pieces of the stretch.
bool Cutter::is_out_of_reach(const job::RankInterval& some, const job::RankInterval& stretch) const {
  const job::Coverage out = job::out_of_reach(job_, job::Coverage(stretch.first, stretch.last), interrupted_);
  const job::Coverage ranks(some.first, some.last);
  return out.intersection(ranks) == ranks;
}

void Cutter::cut(ToCut next) {
  for (engine::Field& field : next.claimed)
    add(std::move(field));
  job::Coverage& rest = next.rest;
  if (rest.empty())
    return;
  // By what nobody claims of the whole stretch, so that all shards are cut in the same places.
  for (const job::Stretch& left : claimed_parts(claims_, next.stretch).left) {
    const job::RankInterval ranks = ranks_of_all(left);
    const job::Coverage of_left = rest.intersection(job::Coverage(ranks.first, ranks.last));
    rest = of_left.complement_in(rest);
    if (!of_left.empty())
      cut_left(left, of_left);
  }
  cut_pieces_of(rest); // parts too short for the engine that claims the rest
}

Cutter::ToCut Cutter::to_cut(const job::Stretch& stretch) const {
  ToCut result{stretch, {}, {}};
  const job::RankInterval whole = ranks_of_all(stretch);
  for (const auto& [first, last] : to_do_.within(whole.first, whole.last))
    for (const job::Stretch& part : job::stretches(job_.arguments(), first, last)) {
      ClaimedParts parts = claimed_parts(claims_, part);
      std::ranges::move(parts.fields, std::back_inserter(result.claimed));
      for (const job::Stretch& left : parts.left) {
        const job::RankInterval ranks = ranks_of_all(left);
        result.rest.add(ranks.first, ranks.last);
      }
    }
  return result;
}

// Adds the claims that others' work may serve, with those of their families that are to be searched in the same parts.
void Cutter::add_families(std::vector<ToCut>& waiting) {
  const auto may_join = [this](const engine::Field& field) {
    return !field.claim()->family.empty() && (hooks_.others.empty() || field.claim()->shared.empty());
  };
  std::vector<engine::Field> fields;
  for (ToCut& one : waiting) {
    const auto joined = std::stable_partition(one.claimed.begin(), one.claimed.end(), std::not_fn(may_join));
    std::move(joined, one.claimed.end(), std::back_inserter(fields));
    one.claimed.erase(joined, one.claimed.end());
  }
  const auto are_done_alike = [this](const engine::Field& one, const engine::Field& other) {
    return accounts_.done_before(one) == accounts_.done_before(other);
  };
  for (const Family& family : families_of(std::move(fields), are_done_alike))
    add(family);
}

void Cutter::add(const Family& family) {
  engine::Field leader = leader_of(family);
  // All are entered before work for them can begin.
  std::vector<job::Coverage> done{accounts_.enter(leader)};
  for (const engine::Field& other : std::span(family).subspan(1))
    done.push_back(accounts_.enter_joined(other));
  for (std::size_t i = 0; i < family.size(); ++i)
    if (!dispatcher_.add(i == 0 ? leader : family[i], done[i]))
      throw Interrupted();
}

// Cuts a run that nobody claims, and adds the part of it that is to be searched.
void Cutter::cut_left(const job::Stretch& left, const job::Coverage& of_left) {
  if (hooks_.leaves_out && job::has_too_many_pieces(job_, left))
    for (const auto& [first, last] : of_left.intervals())
      leave_out({first, last});
  else if (hooks_.only == nullptr)
    cut_pieces(left, of_left);
  else // samples are never resumed: they need not be cut as the whole is
    cut_pieces_of(of_left);
}

void Cutter::cut_pieces_of(const job::Coverage& ranks) {
  for (const auto& [first, last] : ranks.intervals())
    for (const job::Stretch& part : job::stretches(job_.arguments(), first, last))
      cut_pieces(part, ranks);
}

// Cuts a stretch and adds the part of it that lies in `rest`, a set of ranks.
void Cutter::cut_pieces(const job::Stretch& stretch, const job::Coverage& rest) {
  const format::BreakpointGrid grid = job_.grid();
  const job::RankInterval whole = ranks_of_all(stretch);
  if (hooks_.only != nullptr && job::has_only_short_pieces(job_, stretch)) {
    for (const auto& [first, last] : rest.within(whole.first, whole.last))
      add_all({first, last}, std::nullopt);
    return;
  }
  uint128 open = rest.intersection(job::Coverage(whole.first, whole.last)).size();
  job::PieceCutter cutter(job_, stretch, interrupted_);
  while (open > 0) { // the part behind it may have very many pieces
    const auto piece = cutter.next();
    if (!piece)
      return;
    const job::RankInterval ranks = ranks_of_all(piece->arguments);
    for (const auto& [first, last] : rest.within(ranks.first, ranks.last)) {
      open -= static_cast<uint128>(last - first);
      if (piece->values && !grid.reaches(piece->values->exponent, job_.K))
        add_regime({{first, last}, {}});
      else
        add_all({first, last}, piece->values);
    }
  }
}

void Cutter::add_all(const job::RankInterval& ranks, const std::optional<job::OutputBinade>& values) {
  for (const job::Stretch& part : job::stretches(job_.arguments(), ranks.first, ranks.last))
    add(engine::Field::of({part, values}));
}

void Cutter::add(engine::Field field) {
  const job::Coverage done = accounts_.enter(field);
  if (!dispatcher_.add(field, done))
    throw Interrupted();
}

// A regime was proven in Arb; MPFR checks some of its arguments, if it has numbers of that size.
void Cutter::add_regime(const job::RegimeRange& range) {
  constexpr long enough_precision = 1L << 16; // more are needed only extremely near to a breakpoint
  function::Function function = *job_.function;
  function.most_precision = std::min(function.most_precision, enough_precision);
  const verify::Confirmation confirmation(function, job_.grid(), job_.K);
  const auto& rule = range.regime.rule;
  const auto& [first, last] = range.ranks;
  std::vector<format::ArgumentSet::Rank> ranks{first, first + (last - first) / 2, last - 1};
  if (const auto& some = range.regime.some) {
    const std::vector<format::ArgumentSet::Rank> cases = some->at_ends(range.ranks);
    ranks.insert(ranks.end(), cases.begin(), cases.end());
  }
  for (const format::ArgumentSet::Rank rank : ranks) {
    const Argument x = job_.arguments().at(rank);
    const auto [found, distance, is_enclosed] = confirmation.judge(x);
    if (!is_enclosed)
      continue;
    const bool is_exact = found && found->kind == Case::Kind::exact;
    const bool is_open = rule && rule->side == job::Side::undecided; // the value may be the breakpoint
    if (range.regime.is_exact && found && found->kind != Case::Kind::hard)
      continue; // MPFR may not be able to prove that an expression is exact
    if ((is_exact && !is_open) || found.has_value() != range.is_case(rank) || range.regime.is_exact ||
        (rule && rule->breakpoint && *rule->breakpoint != found->breakpoint))
      throw SoundnessError(fmt::format("Arb proves that {} is {} like its neighbours, but MPFR finds that it is not",
                                       to_hex(x),
                                       range.is_case(rank)     ? "a case"
                                       : range.regime.is_exact ? "exact"
                                                               : "none"));
  }
  dispatcher_.skip(range.size());
  accounts_.add_regime(range);
}

void Cutter::leave_out(const job::RankInterval& ranks) {
  dispatcher_.skip(static_cast<uint128>(ranks.last - ranks.first));
  accounts_.leave_out(ranks);
}

} // namespace tmd::searches
