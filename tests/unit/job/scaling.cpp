// The decisive arguments of a scaling: for every other argument of small formats one of them is as far from a
// breakpoint of the same kind.
#include "host/job/scaling.hpp"
#include "host/function/catalogue.hpp"
#include "host/verify/confirm.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include <doctest/doctest.h>

namespace tmd::job {

namespace {

// With K = 1 every argument whose value has a breakpoint beside it is one of the cases.
using Place = std::optional<std::tuple<Case::Kind, Breakpoint, double>>;

Place place_of(const verify::Confirmation& confirmation, const Argument& x) {
  const std::optional<Case> found = confirmation.confirm(x);
  if (!found)
    return std::nullopt;
  return std::tuple(found->kind, found->breakpoint, found->bits);
}

bool is_same(const Place& left, const Place& right) {
  if (!left || !right)
    return left.has_value() == right.has_value();
  const auto& [kind, breakpoint, bits] = *left;
  const auto& [other_kind, other_breakpoint, other_bits] = *right;
  return kind == other_kind && breakpoint == other_breakpoint &&
         (kind == Case::Kind::exact || std::fabs(bits - other_bits) < 1e-9 * bits);
}

double number_of(const Argument& x) {
  return std::ldexp((x.negative ? -1 : 1) * static_cast<double>(x.significand), x.unit_exponent);
}

// The number of arguments that are determined by others.
int count_of_followers(const Job& job) {
  const format::ArgumentSet arguments = job.arguments();
  const function::Scaling& scaling = job.function->scaling.value();
  const Coverage decisive = decisive_ranks(job);
  if (decisive.empty()) // every argument is searched
    return 0;
  const RankInterval domain = ranks_in_domain(job.function->domain, arguments);
  const verify::Confirmation confirmation(*job.function, job.grid(), 1);
  std::map<double, Place> places;
  for (const auto& [first, last] : decisive.intervals())
    for (format::ArgumentSet::Rank rank = first; rank < last; ++rank)
      places[number_of(arguments.at(rank))] = place_of(confirmation, arguments.at(rank));
  int followers = 0;
  const format::ArgumentSet::Rank first = job.function->symmetry == Symmetry::none ? domain.first : 0;
  for (format::ArgumentSet::Rank rank = first; rank < domain.last; ++rank) {
    if (rank == 0 || decisive.contains(rank))
      continue;
    const Argument x = arguments.at(rank);
    const Place place = place_of(confirmation, x);
    bool follows = false;
    const auto try_at = [&](double other) {
      const auto at = places.find(other);
      follows = follows || (at != places.end() && is_same(at->second, place));
    };
    if (scaling.argument_exponent == 0)
      try_at(number_of(x) - std::floor(number_of(x)));
    else
      for (int k = -60; k <= 60; ++k)
        try_at(std::ldexp(number_of(x), k * scaling.argument_exponent));
    INFO(to_hex(x));
    CHECK(follows);
    ++followers;
  }
  return followers;
}

Job whole(const function::Function& function, const Format& format, int argument_precision, Rounding rounding,
          Values values) {
  Job job;
  job.function = &function;
  job.format = format;
  job.argument_precision = argument_precision;
  job.rounding = rounding;
  job.values = values;
  return job;
}

} // namespace

TEST_CASE("decisive arguments: all others follow from them") {
  for (const std::string name :
       {"cbrt", "sqrt", "rsqrt", "recip", "sinpi", "cospi", "tanpi", "log2", "exp2", "pown:2", "pown:3", "pown:-2",
        "pown:-3", "pown:6", "pown:-7", "rootn:4", "rootn:-3", "rootn:5"}) {
    const function::Function& function = function::find_function(name);
    int followers = 0;
    for (const auto& [format, argument_precision] :
         {std::pair(Format{"small", 4, -5, 6}, 4), std::pair(Format{"flat", 3, -20, 19}, 3),
          std::pair(Format{"fine", 6, -7, 8}, 8), std::pair(Format{"large numbers", 4, -2, 12}, 4),
          std::pair(Format{"small numbers", 4, -12, 1}, 5)}) {
      INFO(name, " in ", format.name);
      for (const Rounding rounding : {Rounding::all, Rounding::directed, Rounding::nearest})
        for (const Values values : {Values::format, Values::unbounded})
          followers += count_of_followers(whole(function, format, argument_precision, rounding, values));
    }
    CHECK(followers > 1000);
  }
}

TEST_CASE("decisive arguments: of binary64 some binades") {
  const auto binades_of = [](const std::string& name) {
    const function::Function& function = function::find_function(name);
    const Job job = whole(function, find_format("binary64"), 53, Rounding::all, Values::format);
    return std::ldexp(static_cast<double>(decisive_ranks(job).size()), -52);
  };
  CHECK(binades_of("cbrt") == 3);
  CHECK(binades_of("rsqrt") == 2);
  CHECK(binades_of("sinpi") == doctest::Approx(1023));
  CHECK(binades_of("recip") == doctest::Approx(5).epsilon(0.01));
  CHECK(binades_of("log2") < 13);
  CHECK(binades_of("exp2") < 4080);
  CHECK(binades_of("exp") == 0);
  CHECK(binades_of("pown:3") < 1370);
}

TEST_CASE("decisive arguments: a job by scaling has them in its range, and its name says what it leaves out") {
  const function::Function& function = function::find_function("recip");
  Job job = whole(function, find_format("binary16"), 11, Rounding::all, Values::format);
  const Coverage decisive = decisive_ranks(job);
  job.first = decisive.intervals().front().first;
  job.last = decisive.intervals().back().last;
  const std::string all = job.identity();
  CHECK(job.size() > decisive.size());
  job.by_scaling = true;
  CHECK(job.range() == decisive);
  CHECK(job.size() == decisive.size());
  CHECK(job.identity() == all + ", less what follows by f(2 x) = 2^-1 f(x)");
  Job unscaled = job;
  unscaled.by_scaling = false;
  CHECK(without_range(job).identity() == without_range(unscaled).identity());
  job.first = decisive.intervals().front().last;
  CHECK(job.range().size() == decisive.size() - decisive.intervals().front().last + decisive.intervals().front().first);
  // If a scaling leaves no gap, the range says so.
  const function::Function& root = function::find_function("cbrt");
  Job of_root = whole(root, find_format("binary16"), 11, Rounding::all, Values::format);
  of_root.first = decisive_ranks(of_root).intervals().front().first;
  of_root.last = decisive_ranks(of_root).intervals().front().last;
  const std::string range_alone = of_root.identity();
  of_root.by_scaling = true;
  CHECK(of_root.identity() == range_alone);
}

} // namespace tmd::job
