// Entries are computed again one by one, in several threads; counts, regimes and gaps between parts are compared with
// what follows from the job. Each check collects its objections without ending the others.
#include "result/result_check.hpp"

#include "job/leading_term.hpp"
#include "job/pieces.hpp"
#include "job/regime_joiner.hpp"
#include "number/in_parallel.hpp"
#include "number/random.hpp"
#include "result/wc.hpp"
#include "tmd/error.hpp"
#include "verify/arb_confirm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace tmd::result {

namespace {

constexpr double rounding = 0.5e-4 + 1e-6; // of bits to four decimals, with the error of the compared value
constexpr double far_enough = 0x1p15;      // in bits: MPFR is not asked for more
constexpr double same_bits = 1e-6;
constexpr std::size_t entries_per_thread = 256; // with fewer, starting a thread costs more than it saves

std::string_view name_of(Case::Kind kind) { return to_string(kind); }

// The judgement of MPFR or Arb, in common terms.
struct Verdict {
  enum class Kind { none, hard, exact, undecided, undefined };
  Kind kind = Kind::none;
  double bits = 0;
  Breakpoint breakpoint = Breakpoint::representable;
  bool is_least = false; // whether `bits` is only a lower bound
};

Verdict verdict_of(const std::optional<Case>& found) {
  if (!found)
    return {};
  const auto kind = found->kind == Case::Kind::hard    ? Verdict::Kind::hard
                    : found->kind == Case::Kind::exact ? Verdict::Kind::exact
                                                       : Verdict::Kind::undecided;
  return {kind, found->bits, found->breakpoint, found->is_least || found->bits >= far_enough};
}

Verdict verdict_of(const verify::ArbFinding& found) {
  switch (found.kind) {
  case verify::ArbFinding::Kind::hard:
    return {Verdict::Kind::hard, found.bits, found.breakpoint, found.is_least};
  case verify::ArbFinding::Kind::exact:
    return {Verdict::Kind::exact, found.bits, found.breakpoint};
  case verify::ArbFinding::Kind::undecided:
    return {Verdict::Kind::undecided, found.bits, found.breakpoint};
  case verify::ArbFinding::Kind::undefined:
    return {Verdict::Kind::undefined};
  case verify::ArbFinding::Kind::no_case:
    break;
  }
  return {};
}

Verdict::Kind kind_of(const FoundEntry& entry) {
  return entry.kind == Case::Kind::hard    ? Verdict::Kind::hard
         : entry.kind == Case::Kind::exact ? Verdict::Kind::exact
                                           : Verdict::Kind::undecided;
}

// A sentence about what an entry says wrongly; empty if it is right. weaker: the sentence if it is no case.
template <typename Weaker>
std::string contradiction(const FoundEntry& entry, const Verdict& found, int K, const Weaker& weaker) {
  if (found.kind == Verdict::Kind::none) {
    const Verdict anyway = weaker();
    return anyway.kind == Verdict::Kind::hard ? fmt::format("no {}-bit case: it has {:.4f} bits", K, anyway.bits)
                                              : fmt::format("no {}-bit case", K);
  }
  if (found.kind != kind_of(entry)) {
    const auto is = found.kind == Verdict::Kind::hard    ? Case::Kind::hard
                    : found.kind == Verdict::Kind::exact ? Case::Kind::exact
                                                         : Case::Kind::undecided;
    return fmt::format("it is {}, not {}", name_of(is), name_of(entry.kind));
  }
  if (entry.breakpoint && *entry.breakpoint != found.breakpoint)
    return fmt::format("its breakpoint is {}, not {}", to_string(found.breakpoint), to_string(*entry.breakpoint));
  // Two different lower bounds may both be right.
  const double least = std::min(found.bits, far_enough) - rounding;
  if (entry.bits && !(found.is_least ? *entry.bits >= least : std::fabs(*entry.bits - found.bits) <= rounding))
    return fmt::format("it has {:.4f} bits{}, not {:.4f}", found.bits, found.is_least ? " or more" : "", *entry.bits);
  return {};
}

// The outcome for one entry.
struct Looked {
  std::optional<Case> found; // as MPFR finds it
  std::string by_mpfr;
  std::string by_arb;
  bool is_open = false; // whether Arb left it open
};

class EntryCheck {
public:
  EntryCheck(const RecordedSearch& file, Judges judges)
      : job_(file.job()), K_(file.bits_of_ranges.value_or(job_.K)), judges_(judges),
        mpfr_(*job_.function, job_.grid(), K_), mpfr_of_any_(*job_.function, job_.grid(), 1),
        arb_(*job_.function, job_.grid(), K_), arb_of_any_(*job_.function, job_.grid(), 1) {}

  [[nodiscard]] Looked look_at(const FoundEntry& entry) const {
    Looked looked;
    try {
      looked.found = mpfr_.confirm(entry.x);
      looked.by_mpfr = contradiction(entry, verdict_of(looked.found), job_.K,
                                     [&] { return verdict_of(mpfr_of_any_.confirm(entry.x)); });
      // Published lists are cut by bits rounded to four decimals.
      if (looked.by_mpfr.empty() && looked.found && four_decimals(looked.found->bits) < job_.K)
        looked.by_mpfr = fmt::format("no {}-bit case: it has {:.4f} bits", job_.K, looked.found->bits);
    } catch (const Error& error) {
      looked.by_mpfr = error.what();
    }
    if (judges_ == Judges::mpfr)
      return looked;
    const Verdict by_arb = verdict_of(arb_.find(entry.x));
    // An undecided argument is proven neither way: Arb may know more, or less.
    looked.is_open = by_arb.kind == Verdict::Kind::undefined ||
                     (by_arb.kind == Verdict::Kind::undecided && entry.kind != Case::Kind::undecided);
    const bool is_undecided = entry.kind == Case::Kind::undecided && looked.by_mpfr.empty();
    if (!looked.is_open && !is_undecided)
      looked.by_arb = contradiction(entry, by_arb, job_.K, [&] { return verdict_of(arb_of_any_.find(entry.x)); });
    return looked;
  }

private:
  const job::Job& job_;
  int K_; // K for which the search found all cases; a published list may have a smaller one
  Judges judges_;
  verify::Confirmation mpfr_;
  verify::Confirmation mpfr_of_any_; // with K = 1
  verify::ArbConfirmation arb_;
  verify::ArbConfirmation arb_of_any_;
};

std::vector<Looked> look_at_all(const EntryCheck& check, const std::vector<FoundEntry>& entries, unsigned threads) {
  std::vector<Looked> looked(entries.size());
  const std::size_t workers = std::clamp<std::size_t>(entries.size() / entries_per_thread, 1, std::max(threads, 1U));
  number::in_parallel(entries.size(), static_cast<unsigned>(workers),
                      [&](std::uint64_t i, unsigned) { looked[i] = check.look_at(entries[i]); });
  return looked;
}

} // namespace

std::vector<Objection> check_header(const RecordedSearch& file) {
  std::vector<Objection> objections;
  const auto object = [&](std::string sentence) { objections.push_back({0, "", std::move(sentence)}); };
  const std::string identity = file.job().identity();
  if ((file.kind == FileKind::records || file.kind == FileKind::publication) && file.said != identity)
    object(fmt::format("its job is stated as '{}', but its parts describe '{}'", file.said, identity));
  if (file.is_merged || file.is_published)
    return objections;
  if (!file.asked) {
    object(fmt::format("the command '{}' is invalid: {}", file.command, file.not_asked));
    return objections;
  }
  const request::SearchRequest& asked = *file.asked;
  if (asked.job.identity() != identity)
    object(fmt::format("the command searches {}, but the record is of {}", describe(asked.job), describe(file.job())));
  if (file.symmetry && *file.symmetry != asked.symmetry)
    object(fmt::format("the command uses the symmetry '{}', but the record says '{}'", to_string(asked.symmetry),
                       to_string(*file.symmetry)));
  if (const Json scaling = scaling_record(asked.job); file.scaling && *file.scaling != scaling)
    object(
        fmt::format("the command uses the scaling {}, but the record says {}", scaling.dump(), file.scaling->dump()));
  if (file.kind == FileKind::list) {
    RunDescription run;
    run.from = asked.from;
    run.to = asked.to;
    run.symmetry = asked.symmetry;
    if (const std::string said = describe(file.job(), run) + "."; said != file.said)
      object(fmt::format("its job is stated as '{}', but its command describes '{}'", file.said, said));
  }
  return objections;
}

std::vector<Objection> check_counts(const RecordedSearch& file) {
  std::vector<Objection> objections;
  if (!file.summary)
    return objections; // the file's mistake is reported elsewhere
  const Summary& stated = *file.summary;
  const auto compare = [&](std::string_view what, std::optional<uint128> said, uint128 there) {
    if (said && *said != there)
      objections.push_back(
          {stated.line, "",
           fmt::format("it says {} {}, but there are {}", tmd::to_string(*said), what, tmd::to_string(there))});
  };
  const uint128 left_out = file.arguments_left_out();
  uint128 all = 0;
  uint128 none = 0;
  uint128 exact = 0;
  for (const RegimeEntry& one : file.regimes) {
    all += one.range.cases();
    none += one.range.size() - one.range.cases();
    exact += one.range.regime.is_exact ? one.range.size() : 0;
  }
  compare("arguments covered", stated.arguments, file.job().size() - left_out);
  if (file.lists_hard())
    compare("cases", stated.cases, file.entries.hard);
  if (!file.is_published && (file.kind != FileKind::list || file.lists_exact()))
    compare("exact cases that are listed", file.lists_exact() ? stated.exact : stated.exact_listed, file.entries.exact);
  compare("undecided arguments", stated.undecided, file.entries.undecided);
  compare("arguments in ranges of cases", stated.cases_in_ranges, all);
  compare("arguments in ranges without one", stated.none_in_ranges, none);
  compare("arguments in ranges of exact cases", stated.exact_in_ranges, exact);
  compare("arguments left out", stated.left_out, left_out);
  if (stated.partial != (left_out > 0))
    objections.push_back({stated.line, "",
                          fmt::format("it says that the search is {}, but arguments were {}left out",
                                      stated.partial ? "partial" : "complete", stated.partial ? "not " : "")});
  return objections;
}

RecordedSearch read_sound_search(const ResultText& text, const EntrySink& use) {
  if (text.kind != FileKind::records && text.kind != FileKind::json && text.kind != FileKind::journal)
    throw UsageError(fmt::format("'{}' has no records of a search, which `tmd search --json FILE` writes; {}",
                                 text.name,
                                 text.kind == FileKind::list ? "a list of arguments does not say their bits"
                                                             : fmt::format("it is {}", description(text.kind))));
  RecordedSearch search = read_search(text, use);
  const auto refuse = [&](std::size_t line, std::string_view why) {
    return UsageError(line == 0 ? fmt::format("'{}': {}", text.name, why)
                                : fmt::format("'{}', line {}: {}", text.name, line, why));
  };
  for (const LineMistake& mistake : search.mistakes)
    throw refuse(mistake.line, mistake.sentence);
  for (const Objection& objection : check_counts(search))
    throw refuse(objection.line, objection.sentence);
  return search;
}

namespace {

// Keeps the first case of each argument.
void keep_one_of_each(std::vector<Case>& cases) {
  std::vector<std::size_t> by_argument(cases.size());
  std::iota(by_argument.begin(), by_argument.end(), std::size_t(0));
  std::stable_sort(by_argument.begin(), by_argument.end(),
                   [&](std::size_t left, std::size_t right) { return compare(cases[left].x, cases[right].x) < 0; });
  std::vector<bool> again(cases.size());
  for (std::size_t i = 1; i < by_argument.size(); ++i)
    again[by_argument[i]] = compare(cases[by_argument[i - 1]].x, cases[by_argument[i]].x) == 0;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (!again[i])
      cases[kept++] = cases[i];
  cases.resize(kept);
}

} // namespace

CheckedEntries check_entries(const RecordedSearch& file, unsigned threads, Judges judges) {
  constexpr std::size_t at_a_time = std::size_t(1) << 16;
  CheckedEntries result;
  const EntryCheck check(file, judges);
  const format::ArgumentSet arguments = file.job().arguments();
  std::vector<FoundEntry> entries;
  const auto is_case = [&](const Case& found) {
    return found.kind == Case::Kind::hard && (!file.bits_of_ranges || found.bits > file.job().K);
  };
  const auto look = [&] {
    const std::vector<Looked> looked = look_at_all(check, entries, threads);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto& [found, by_mpfr, by_arb, is_open] = looked[i];
      const auto object = [&](std::string sentence) {
        result.objections.push_back({entries[i].line, to_hex(entries[i].x), std::move(sentence)});
      };
      if (!by_mpfr.empty() && by_mpfr == by_arb) {
        object(fmt::format("{} (MPFR and Arb)", by_mpfr));
      } else {
        if (!by_mpfr.empty())
          object(fmt::format("{} (MPFR)", by_mpfr));
        if (!by_arb.empty())
          object(fmt::format("{} (Arb)", by_arb));
      }
      result.wrong_by_mpfr += by_mpfr.empty() ? 0 : 1;
      result.wrong_by_arb += by_arb.empty() ? 0 : 1;
      result.open_by_arb += is_open ? 1 : 0;
      if (judges == Judges::mpfr_and_arb && found && is_case(*found))
        result.cases.push_back(*found);
    }
    result.entries += entries.size();
    entries.clear();
  };
  const job::Coverage range = file.job().range();
  for (const FoundEntry& entry : file.found) {
    const format::ArgumentSet::Rank rank = arguments.rank(entry.x);
    if (!range.contains(rank)) {
      result.objections.push_back({entry.line, to_hex(entry.x), "it lies outside the range"});
      continue;
    }
    if (file.in_ranges.contains(rank))
      result.objections.push_back(
          {entry.line, to_hex(entry.x), "it lies in a range that the file describes as a whole"});
    entries.push_back(entry);
    if (entries.size() == at_a_time)
      look();
  }
  look();
  keep_one_of_each(result.cases);
  return result;
}

std::vector<Objection> check_order(const RecordedSearch& file, const std::vector<Case>& cases) {
  std::vector<Objection> objections;
  const format::ArgumentSet arguments = file.job().arguments();
  using Rank = format::ArgumentSet::Rank;
  // By argument: the bits of cases, and the places of entries.
  std::vector<std::pair<Rank, double>> bits;
  bits.reserve(cases.size());
  for (const Case& one : cases)
    bits.emplace_back(arguments.rank(one.x), one.bits);
  std::sort(bits.begin(), bits.end());
  struct Place {
    Rank first;
    std::size_t number; // number of the entry
    std::size_t line;
  };
  std::vector<Place> places;
  places.reserve(file.found.size());
  for (const FoundEntry& entry : file.found)
    places.push_back({arguments.rank(entry.x), places.size(), entry.line});
  std::sort(places.begin(), places.end(), [](const Place& left, const Place& right) {
    return std::pair(left.first, left.number) < std::pair(right.first, right.number);
  });
  const auto first_of = [](const auto& sorted, Rank rank) {
    return std::lower_bound(sorted.begin(), sorted.end(), rank,
                            [](const auto& one, Rank wanted) { return one.first < wanted; });
  };
  std::size_t number = 0;
  std::map<Case::Kind, FoundEntry> before;
  const bool has_order = file.kind == FileKind::records || file.kind == FileKind::list;
  const auto is_misplaced = [&](const FoundEntry& first, const FoundEntry& second) {
    if (!has_order)
      return false;
    const bool is_behind = compare(first.x, second.x) > 0;
    if (first.kind != Case::Kind::hard || (file.kind == FileKind::list && file.is_by_argument))
      return is_behind;
    const Rank rank = arguments.rank(first.x);
    const Rank next = arguments.rank(second.x);
    const auto left = first_of(bits, rank);
    const auto right = first_of(bits, next);
    if (left == bits.end() || left->first != rank || right == bits.end() || right->first != next) // no cases
      return false;
    if (std::fabs(left->second - right->second) > same_bits)
      return left->second < right->second;
    return left->second == right->second && is_behind;
  };
  for (const FoundEntry& entry : file.found) {
    const auto seen = first_of(places, arguments.rank(entry.x));
    const bool is_new = seen->number == number++;
    if (!is_new)
      objections.push_back({entry.line, to_hex(entry.x), fmt::format("it repeats line {}", seen->line)});
    const auto last = before.find(entry.kind);
    if (is_new && last != before.end() && is_misplaced(last->second, entry))
      objections.push_back(
          {entry.line, to_hex(entry.x),
           fmt::format("it belongs before line {}: {}", last->second.line,
                       entry.kind == Case::Kind::hard && !file.is_by_argument ? "the hardest come first"
                                                                              : "they are sorted by argument")});
    before.insert_or_assign(entry.kind, entry);
  }
  const RegimeEntry* range_before = nullptr;
  for (const RegimeEntry& one : file.regimes) {
    if (range_before != nullptr && one.range.ranks.first < range_before->range.ranks.first)
      objections.push_back({one.line, to_hex(arguments.at(one.range.ranks.first)),
                            fmt::format("the range belongs before line {}", range_before->line)});
    range_before = &one;
  }
  return objections;
}

namespace {

// Parses an exact C hex float, as rules have them. Throws UsageError for anything else.
number::Mpfr number_of(const std::string& text) {
  number::Mpfr value(static_cast<long>(4 * text.size() + 64));
  char* rest = nullptr;
  const int inexact = mpfr_strtofr(value, text.c_str(), &rest, 0, MPFR_RNDN);
  if (text.empty() || *rest != '\0' || inexact != 0 || mpfr_number_p(value) == 0)
    throw UsageError(fmt::format("'{}' is not a number of a rule", text));
  return value;
}

class RegimeCheck {
public:
  RegimeCheck(const RecordedSearch& file, std::size_t samples)
      : file_(file), job_(job_of_ranges(file)), range_(job_.range()),
        confirmation_(*job_.function, job_.grid(), job_.K), samples_(samples) {
    if (file.regimes.empty())
      return;
    listed_.reserve(file.found.size());
    for (const FoundEntry& entry : file.found)
      listed_.push_back(job_.arguments().rank(entry.x));
    std::sort(listed_.begin(), listed_.end());
  }

  CheckedRanges check(RegimeProof proof) {
    for (const RegimeEntry& entry : file_.regimes) {
      entry_ = &entry;
      ++result_.ranges;
      try {
        if (entry.range.regime.some)
          compare_binades();
        else if (proof == RegimeProof::again)
          prove();
        for (const format::ArgumentSet::Rank rank : sampled())
          look_at(rank);
        look_beside();
      } catch (const Error& error) {
        object(entry.range.ranks.first, error.what());
      }
    }
    return std::move(result_);
  }

private:
  // In a published list, ranges may have a larger K than the entries.
  static job::Job job_of_ranges(const RecordedSearch& file) {
    job::Job job = file.job();
    job.K = file.bits_of_ranges.value_or(job.K);
    return job;
  }

  void object(format::ArgumentSet::Rank rank, std::string sentence) {
    result_.objections.push_back({entry_->line, to_hex(job_.arguments().at(rank)), std::move(sentence)});
  }

  // Proves again that one binade determines the cases of all, and judges each case of it in the lowest and in the
  // highest binade. That it has no others was found by a search.
  void compare_binades() {
    const job::RankInterval& ranks = entry_->range.ranks;
    const job::BinadeCases& some = *entry_->range.regime.some;
    const auto beside = job::beside_leading_term(job_, {ranks.first, ranks.last}, 0);
    if (!beside || beside->ranks != job::Coverage(ranks.first, ranks.last) ||
        some.beside != job_.function->leading_term->name)
      return object(ranks.first, "it is not proven that the range has the same cases in every binade");
    for (const format::ArgumentSet::Rank rank : some.at_ends(ranks))
      look_at(rank);
  }

  // The proof works by bisection and may need neighbours outside the range. So it is tried on whole binades first, as a
  // search does it, and then on the rest. MPFR decides the last few arguments.
  void prove() {
    constexpr uint128 few = 4096;
    const job::RankInterval& ranks = entry_->range.ranks;
    job::Coverage rest = proven_in(whole_binades(ranks)).complement_in({ranks.first, ranks.last});
    if (!rest.empty())
      rest = proven_in(rest).complement_in(rest);
    if (!rest.empty() && entry_->range.regime == job::Regime{}) // as a search treats what it does not find in regimes
      rest = job::out_of_reach(job_, rest).complement_in(rest);
    const bool all_by_mpfr = rest.size() <= few;
    for (const auto& [first, last] : rest.intervals()) {
      if (!all_by_mpfr)
        object(first, fmt::format("what the range says is not proven for {} arguments from there on",
                                  tmd::to_string(static_cast<uint128>(last - first))));
      for (format::ArgumentSet::Rank rank = first; all_by_mpfr && rank < last; ++rank)
        look_at(rank);
    }
  }

  // The ranks of the range among these for which the proof succeeds.
  [[nodiscard]] job::Coverage proven_in(const job::Coverage& among) {
    std::vector<job::RegimeRange> proven;
    job::divide(
        job_, among, {}, [&](const job::RegimeRange& range) { proven.push_back(range); }, [](const job::Stretch&) {});
    job::join(proven);
    job::Coverage result;
    for (const job::RegimeRange& range : proven) {
      const job::RankInterval both{std::max(range.ranks.first, entry_->range.ranks.first),
                                   std::min(range.ranks.last, entry_->range.ranks.last)};
      if (both.first >= both.last)
        continue;
      result.add(both.first, both.last);
      if (!(range.regime == entry_->range.regime))
        object(both.first, fmt::format("from there on {} arguments are proven to be {}, not what the range says",
                                       tmd::to_string(static_cast<uint128>(both.last - both.first)),
                                       range.regime.rule       ? "cases by another rule"
                                       : range.regime.is_exact ? "exact"
                                                               : "no cases"));
    }
    return result;
  }

  // The arguments of the job in the binades that contain the ranks.
  [[nodiscard]] job::Coverage whole_binades(const job::RankInterval& ranks) const {
    job::Coverage result;
    for (const auto& [first, last] : range_.intervals())
      for (const job::Stretch& stretch : job::stretches(job_.arguments(), first, last)) {
        const job::RankInterval binade = job::ranks_of(job_.arguments(), stretch, 0, stretch.count);
        if (binade.first < ranks.last && ranks.first < binade.last)
          result.add(binade.first, binade.last);
      }
    return result;
  }

  // The ends, and some arguments between them.
  [[nodiscard]] std::set<format::ArgumentSet::Rank> sampled() const {
    const job::RankInterval& ranks = entry_->range.ranks;
    const auto size = entry_->range.size();
    std::set<format::ArgumentSet::Rank> places{ranks.first, ranks.last - 1};
    number::Random random(static_cast<std::uint64_t>(size) ^ entry_->line);
    for (std::size_t i = 0; i < samples_; ++i)
      places.insert(ranks.first + static_cast<int128>((uint128(random.next()) << 64 | random.next()) % size));
    return places;
  }

  void look_at(format::ArgumentSet::Rank rank) {
    ++result_.samples;
    const Argument x = job_.arguments().at(rank);
    const auto [found, distance, is_enclosed] = confirmation_.judge(x);
    if (!is_enclosed) // then only the proof can tell
      return;
    const std::optional<job::BreakpointRule>& rule = entry_->range.regime.rule;
    if (entry_->range.regime.is_exact) {
      if (!found || found->kind == Case::Kind::hard)
        object(rank, "MPFR finds that it is not exact, in a range said to have exact cases only");
      return;
    }
    if (!rule) {
      const bool is_case = entry_->range.is_case(rank);
      if (found && !is_case)
        object(rank, fmt::format("MPFR finds a case, {}, in a range said to have none", name_of(found->kind)));
      if (is_case && (!found || found->kind != Case::Kind::hard))
        object(rank, "MPFR finds that it is no hard case, as its range says");
      return;
    }
    if (!found || (found->kind == Case::Kind::exact && rule->side != job::Side::undecided)) {
      object(rank, "MPFR finds no hard case in a range said to have nothing else");
      return;
    }
    if (rule->breakpoint && *rule->breakpoint != found->breakpoint)
      object(rank, fmt::format("its breakpoint is {}, not that of the rule", to_string(found->breakpoint)));
    if (!obeys(x, *rule))
      object(rank, "f(x) does not lie on that side of the rule's breakpoint, nearer than 2^-K spacings");
  }

  // Whether f(x) is on the rule's side of g(x) and near it, as far as MPFR can tell.
  [[nodiscard]] bool obeys(const Argument& argument, const job::BreakpointRule& rule) const {
    constexpr long exactly = 1L << 16; // bits that hold g(x)
    constexpr long most = 1L << 17;
    const number::Mpfr x = format::to_mpfr(argument);
    number::Mpfr breakpoint(exactly);
    if (mpfr_fma(breakpoint, number_of(rule.slope), x, number_of(rule.offset), MPFR_RNDN) != 0)
      return false;
    for (long precision = job_.format.precision + job_.K + 64; precision <= most; precision *= 2) {
      const function::ValueEnclosure value = job_.function->value(x, precision);
      if (value.is_undefined())
        return false;
      const int lower = mpfr_cmp(value.lower, breakpoint);
      const int upper = mpfr_cmp(value.upper, breakpoint);
      const bool is_above = lower >= 0 && upper > 0;
      const bool is_below = upper <= 0 && lower < 0;
      if (rule.side == job::Side::above ? upper <= 0 : rule.side == job::Side::below && lower >= 0)
        return false;
      if (!is_above && !is_below) // g(x) lies within
        continue;
      const mpfr_srcptr near =
          mpfr_cmpabs(value.lower, value.upper) <= 0 ? mpfr_srcptr(value.lower) : mpfr_srcptr(value.upper);
      const int spacing = job_.grid().spacing_exponent(static_cast<int>(mpfr_get_exp(near)) - 1);
      const auto is_within_bound = [&](const number::Mpfr& end, mpfr_rnd_t rounding) {
        number::Mpfr distance(precision);
        mpfr_sub(distance, end, breakpoint, rounding);
        mpfr_abs(distance, distance, MPFR_RNDN);
        return mpfr_cmp_ui_2exp(distance, 1, spacing - job_.K) < 0;
      };
      if (is_within_bound(is_above ? value.upper : value.lower, MPFR_RNDA))
        return true;
      if (!is_within_bound(is_above ? value.lower : value.upper, MPFR_RNDZ))
        return false;
    }
    return true; // too near to be computed: only the proof can tell the side
  }

  // Whether the file lists all cases of that kind.
  [[nodiscard]] bool is_listed_kind(const Case& found) const {
    if (found.kind == Case::Kind::exact)
      return file_.lists_exact();
    return file_.lists_hard() && (found.kind != Case::Kind::hard || found.bits >= file_.job().K);
  }

  // Checks that no case next to the range lacks an entry.
  void look_beside() {
    const job::RankInterval& ranks = entry_->range.ranks;
    for (const format::ArgumentSet::Rank rank : {ranks.first - 1, ranks.last}) {
      if (!range_.contains(rank) || file_.in_ranges.contains(rank) ||
          std::binary_search(listed_.begin(), listed_.end(), rank))
        continue;
      ++result_.samples;
      const std::optional<Case> found = confirmation_.confirm(job_.arguments().at(rank));
      if (found && is_listed_kind(*found))
        object(rank, "it is a case, beside the range, and has no entry");
    }
  }

  const RecordedSearch& file_;
  const job::Job job_;
  const job::Coverage range_;
  verify::Confirmation confirmation_;
  std::size_t samples_;
  std::vector<format::ArgumentSet::Rank> listed_; // sorted
  const RegimeEntry* entry_ = nullptr;
  CheckedRanges result_;
};

} // namespace

CheckedRanges check_regimes(const RecordedSearch& file, std::size_t samples, RegimeProof proof) {
  return RegimeCheck(file, samples).check(proof);
}

} // namespace tmd::result
