// The binades of a class are shuffled once and then visited in turn. Bisection between the ends of binades finds where
// results become subnormal, vanish or overflow. It assumes that this happens once; where that is wrong, only some
// samples are lost.
#include "library/samples.hpp"

#include "number/random.hpp"
#include "tmd/error.hpp"
#include "verify/rounded_value.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace tmd::library {

namespace {

constexpr std::size_t singly = 16;         // arguments of a visit that MPFR decides one by one
constexpr std::size_t most_uncertain = 16; // limit for the arguments of a visit that the polynomial does not decide
constexpr std::size_t usual_wanted = 32;   // arguments of each degree of hardness
constexpr std::size_t closer_wanted = 128; // the same for a closer visit
constexpr std::uint64_t usual_steps = 1 << 11;
constexpr std::uint64_t deep_steps = 1 << 16;
constexpr std::uint64_t closer_steps = 1 << 14;
constexpr int usual_neighbourhood = 32; // log2 of its arguments
constexpr int deep_neighbourhood = 36;
constexpr format::ArgumentSet::Rank beside_threshold = 8; // ranks to either side
constexpr std::size_t most_stretches = 5000;              // if there are more, only every 16th distant binade is kept
constexpr int near_binade = 8;                            // log2, like the next
constexpr int middle_binade = 64;

// The sample of one argument, by MPFR.
Sample sample_of(const function::Function& function, const Encodings& encodings, Code code) {
  Sample sample;
  sample.argument = code;
  sample.negative = encodings.is_negative(code);
  if (encodings.is_number(code))
    sample.binade = binade_of_argument(encodings.argument(code), encodings.format());
  sample.right = right_in_c(function, encodings, code);
  if (sample.right && !std::isnan(sample.right->fraction))
    sample.nearest = nearest_breakpoint(sample.right->fraction);
  return sample;
}

// Takes from the neighbourhood the arguments that a visit wants.
std::size_t take_hard_arguments(const function::Function& function, const Encodings& encodings, const Visit& visit,
                                const Neighbourhood& neighbourhood, number::Random& random,
                                std::vector<Sample>& samples) {
  std::uint64_t steps = visit.steps;
  std::size_t uncertain = 0;
  const job::Stretch& arguments = neighbourhood.arguments();
  const int binade = binade_of_argument(arguments.argument(0), encodings.format());
  for (int bits = visit.first_bits; bits <= visit.last_bits; ++bits) {
    if (bits > visit.first_bits && neighbourhood.count() >> bits == 0)
      break; // so few arguments are expected to contain none that hard
    HardArguments hard(neighbourhood, bits, random.below(neighbourhood.count() / 2 + 1));
    for (std::size_t taken = 0; taken < visit.wanted; ++taken) {
      const auto index = hard.next(steps);
      if (!index)
        break;
      const Code code = encodings.code(arguments.argument(*index));
      if (hard.value().is_certain)
        samples.push_back({code, hard.value().right, hard.value().nearest, arguments.negative, binade});
      else if (++uncertain <= most_uncertain)
        samples.push_back(sample_of(function, encodings, code));
    }
    if (uncertain > most_uncertain)
      break;
  }
  return std::min(uncertain, most_uncertain);
}

// A visit to a large neighbourhood, with enough steps to find arguments of a few degrees.
Visit close_visit(const job::Stretch& stretch, std::uint64_t seed, int first_bits, int last_bits) {
  Visit visit;
  visit.stretch = stretch;
  visit.seed = number::Random(seed).next();
  visit.neighbourhood_bits = deep_neighbourhood;
  visit.first_bits = first_bits;
  visit.last_bits = last_bits;
  visit.steps = closer_steps;
  return visit;
}

} // namespace

int binade_of_argument(const Argument& argument, const Format& format) {
  return std::max(bit_length(argument.significand) + argument.unit_exponent - 1, format.min_exponent - 1);
}

std::size_t take_samples(const function::Function& function, const Encodings& encodings, const Visit& visit,
                         std::vector<Sample>& samples) {
  for (const Code code : visit.arguments)
    samples.push_back(sample_of(function, encodings, code));
  if (visit.steps == 0)
    return visit.arguments.size();
  number::Random random(visit.seed);
  const auto count = static_cast<std::uint64_t>(visit.stretch.count);
  const std::uint64_t index = random.below(count);
  if (const auto neighbourhood =
          Neighbourhood::around(function, encodings, visit.stretch, index, visit.neighbourhood_bits))
    return take_hard_arguments(function, encodings, visit, *neighbourhood, random, samples);
  for (std::size_t i = 0; i < singly; ++i)
    samples.push_back(sample_of(function, encodings, encodings.code(visit.stretch.argument(random.below(count)))));
  return singly;
}

Strata::Strata(const function::Function& function, const Encodings& encodings,
               const std::optional<job::RankInterval>& ranks, std::uint64_t seed)
    : function_(function), encodings_(encodings), seed_(seed) {
  const format::ArgumentSet& set = encodings.set();
  const job::RankInterval domain = job::ranks_in_domain(function.domain, set);
  const job::RankInterval asked = ranks.value_or(job::RankInterval{1 - set.end(), set.end()});
  const job::RankInterval inside{std::max(domain.first, asked.first), std::min(domain.last, asked.last)};
  if (inside.first >= inside.last)
    throw UsageError(fmt::format("{} has no values in the range", function.name));
  std::vector<job::Stretch> all;
  for (const job::Stretch& stretch : job::stretches(set, inside.first, inside.last))
    if (stretch.first != 0)
      all.push_back(stretch);
  if (all.size() > most_stretches) {
    constexpr int near = 70; // log2
    constexpr int every = 16;
    std::erase_if(all, [&](const job::Stretch& stretch) {
      const int binade = binade_of_argument(stretch.argument(0), encodings.format());
      return std::abs(binade) > near && binade % every != 0;
    });
  }
  classes_.resize(4);
  add_thresholds(all);
  add_binades(all);
  add_fixed(all, asked, !ranks);
}

Strata::Size Strata::size_at(format::ArgumentSet::Rank rank) const {
  const Format& format = encodings_.format();
  const auto value = verify::rounded_value(function_, format, format::to_mpfr(encodings_.set().at(rank)));
  if (!value || !value->in(Direction::nearest))
    return Size::none;
  const mpfr_srcptr y = *value->in(Direction::nearest);
  if (mpfr_inf_p(y) != 0)
    return Size::huge;
  if (mpfr_zero_p(y) != 0)
    return value->enclosure.is_exact() ? Size::normal : Size::tiny;
  return mpfr_get_exp(y) - 1 < format.min_exponent ? Size::subnormal : Size::normal;
}

// Adds the arguments next to those at which results begin to vanish, to be subnormal or to overflow, and the parts of
// binades with subnormal results.
void Strata::add_thresholds(const std::vector<job::Stretch>& all) {
  struct Point {
    format::ArgumentSet::Rank rank;
    Size size;
  };
  std::optional<Point> last;
  const auto go_on = [&](const Point& next) {
    if (last && last->size == Size::subnormal && next.size == Size::subnormal)
      for (const job::Stretch& part : job::stretches(encodings_.set(), last->rank, next.rank + 1))
        if (part.first != 0)
          classes_[3].push_back(part);
    last = next;
  };
  for (const job::Stretch& stretch : all) {
    const job::RankInterval ranks = job::ranks_of(encodings_.set(), stretch, 0, stretch.count);
    for (const format::ArgumentSet::Rank rank : {ranks.first, ranks.last - 1}) {
      const Point end{rank, size_at(rank)};
      while (last && last->size != end.size && last->size != Size::none && end.size != Size::none &&
             last->rank < end.rank) {
        Point before = *last;
        Point behind = end;
        while (behind.rank - before.rank > 1) {
          const format::ArgumentSet::Rank middle = before.rank + (behind.rank - before.rank) / 2;
          const Point found{middle, size_at(middle)};
          (found.size == last->size ? before : behind) = found;
        }
        for (format::ArgumentSet::Rank beside = -beside_threshold; beside <= beside_threshold; ++beside)
          add_rank(before.rank + beside);
        go_on(before);
        last = behind;
      }
      go_on(end);
    }
  }
}

void Strata::add_binades(const std::vector<job::Stretch>& all) {
  for (const job::Stretch& stretch : all) {
    const int binade = binade_of_argument(stretch.argument(0), encodings_.format());
    binades_[{stretch.negative, binade}] = stretch;
    if (std::abs(binade) <= near_binade)
      classes_[0].push_back(stretch);
    if (std::abs(binade) <= middle_binade)
      classes_[1].push_back(stretch);
  }
  classes_[2] = all;
  for (std::size_t i = 0; i < classes_.size(); ++i)
    classes_[i] = number::shuffled(classes_[i].empty() ? all : classes_[i], number::Random(seed_ + i));
}

void Strata::add_fixed(const std::vector<job::Stretch>& all, const job::RankInterval& inside, bool is_whole) {
  constexpr int most_integer = 512; // in eighths
  constexpr int short_ones = 512;
  constexpr std::uint64_t short_significand = 256;
  constexpr std::uint64_t short_exponents = 64;
  const format::ArgumentSet& set = encodings_.set();
  std::vector<format::ArgumentSet::Rank> ends;
  for (const job::Stretch& stretch : all) {
    const job::RankInterval ranks = job::ranks_of(set, stretch, 0, stretch.count);
    ends.insert(ends.end(), {ranks.first, ranks.first + 1, ranks.last - 2, ranks.last - 1});
  }
  const auto add_number = [&](std::uint64_t significand, int exponent) {
    const auto nearest = set.nearest(fmt::format("0x{:x}p{}", significand, exponent), "x");
    if (!nearest.is_exact)
      return;
    add_rank(nearest.rank);
    add_rank(-nearest.rank);
  };
  for (int i = 0; i <= most_integer; ++i)
    add_number(static_cast<std::uint64_t>(i), -3);
  number::Random random(seed_);
  for (int i = 0; i < short_ones; ++i)
    add_number(random.below(short_significand), static_cast<int>(random.below(short_exponents)) - 32);
  if (is_whole) {
    const Code infinity = encodings_.infinity();
    for (const Code code : {Code(0), infinity, infinity + 1, encodings_.not_a_number() - 1, encodings_.not_a_number(),
                            encodings_.sign() - 1})
      for (const Code sign : {Code(0), encodings_.sign()})
        fixed_.push_back(code | sign);
  }
  std::set<format::ArgumentSet::Rank> seen;
  if (is_whole)
    seen.insert(0);
  for (const std::vector<format::ArgumentSet::Rank>& ranks :
       {fixed_ranks_, number::shuffled(ends, number::Random(seed_))}) {
    before_ends_ = fixed_.size();
    for (const format::ArgumentSet::Rank rank : ranks)
      if (rank >= inside.first && rank < inside.last && seen.insert(rank).second)
        fixed_.push_back(static_cast<Code>(rank < 0 ? -rank : rank) | (rank < 0 ? encodings_.sign() : 0));
  }
}

Visit Strata::visit(std::uint64_t number) const {
  constexpr std::uint64_t turns = 8;
  constexpr std::uint64_t deep_every = 16;
  const std::uint64_t turn = number % turns;
  const std::uint64_t round = number / turns;
  // The class, and the index in it: the classes get 4, 2, 1 and 1 of 8 visits.
  const auto [which, at] = turn < 4   ? std::pair(0, 4 * round + turn)
                           : turn < 6 ? std::pair(1, 2 * round + turn - 4)
                           : turn < 7 ? std::pair(2, round)
                                      : std::pair(3, round);
  const std::vector<job::Stretch>& binades = classes_[static_cast<std::size_t>(which)];
  const bool is_deep = number % deep_every == number / deep_every % deep_every;
  Visit visit;
  visit.stretch = binades[at % binades.size()];
  visit.seed = number::Random(seed_ ^ (number + 1) << 20).next();
  visit.neighbourhood_bits = is_deep ? deep_neighbourhood : usual_neighbourhood;
  visit.last_bits = hardest_bits;
  visit.wanted = usual_wanted;
  visit.steps = is_deep ? deep_steps : usual_steps;
  return visit;
}

std::vector<Visit> Strata::graded_visits(int first_bits) const {
  std::vector<Visit> visits;
  for (const job::Stretch& binade : classes_[2]) {
    visits.push_back(close_visit(binade, seed_ ^ (visits.size() + 1) << 20 ^ 2, first_bits, hardest_bits));
  }
  auto rest = visits.begin();
  for (const int most : {near_binade, middle_binade})
    rest = std::stable_partition(rest, visits.end(), [&](const Visit& visit) {
      return std::abs(binade_of_argument(visit.stretch.argument(0), encodings_.format())) <= most;
    });
  return visits;
}

std::optional<Visit> Strata::closer_visit(bool negative, int binade, int first_bits, int last_bits,
                                          std::uint64_t number) const {
  const auto found = binades_.find({negative, binade});
  if (found == binades_.end())
    return std::nullopt;
  Visit visit = close_visit(found->second, seed_ ^ (number + 1) << 20 ^ 1, std::max(first_bits, 1),
                            std::min(last_bits, hardest_bits));
  visit.wanted = closer_wanted;
  return visit;
}

} // namespace tmd::library
