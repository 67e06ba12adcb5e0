#include "request/resolve.hpp"

#include "device/tunables.hpp"
#include "function/expression.hpp"
#include "function/formula.hpp"
#include "job/pieces.hpp"
#include "job/scaling.hpp"
#include "request/option_error.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tmd::request {

namespace {

// A K with which some hundred cases a binade are expected, for every format and precision of arguments.
int default_bits(const job::Job& job) {
  constexpr int below_precision = 9;
  constexpr int fewest = 3;
  return std::max(std::max(job.format.precision, job.argument_precision) - below_precision, fewest);
}

// The domain of an expression is not known, so the value shows whether a bound is outside it.
void check_value(const job::Job& job, format::ArgumentSet::Rank rank) {
  constexpr long any_precision = 100;
  const Argument x = job.arguments().at(rank);
  if (job.function->value(format::to_mpfr(x), any_precision).is_undefined())
    throw UsageError(fmt::format("{} has no value at {}: choose another range", job.function->name, to_hex(x)));
}

void check_range(const SearchRequest& request) {
  const job::Job& job = request.job;
  if (job.first == job.arguments().end())
    throw OptionError("from", fmt::format("--from: {} is beyond the largest number of {}; it may be --to", request.from,
                                          job.format.name));
  if (job.first >= job.last)
    throw OptionError(request.spec.to ? "to" : "from",
                      fmt::format("the range is empty: --from {} is not below --to {}", request.from, request.to));
  const job::RankInterval domain = job::ranks_in_domain(job.function->domain, job.arguments());
  blaming(job.first < domain.first || job.first >= domain.last ? "from" : "to", [&] { job::check_domain(job); });
  if (function::is_function_name(job.function->name))
    return;
  if (request.spec.from)
    blaming("from", [&] { check_value(job, job.first); });
  if (request.spec.to)
    blaming("to", [&] { check_value(job, job.last - 1); });
}

// Sets the bounds that were given, and the rest of the range: the whole function, or half of it by symmetry.
void set_range(SearchRequest& request) {
  const SearchSpec& spec = request.spec;
  job::Job& job = request.job;
  const format::ArgumentSet arguments = job.arguments();
  const job::RankInterval domain = job::ranks_in_domain(job.function->domain, arguments);
  const auto bound = [&](const char* name, const std::optional<std::string>& text,
                         format::ArgumentSet::Rank otherwise) {
    return text ? blaming(name, [&] { return arguments.parse(*text, fmt::format("--{}", name)); }) : otherwise;
  };
  job.first = bound("from", spec.from, domain.first);
  job.last = bound("to", spec.to, domain.last);
  const bool is_whole = !spec.from || !spec.to;
  if (!spec.from && !spec.no_symmetry && job.function->symmetry != Symmetry::none && job.last > 0 && job.first < 0) {
    job.first = 0;
    request.symmetry = job.function->symmetry;
  }
  job.values = spec.values.value_or(is_whole ? Values::format : Values::unbounded);
  if (!spec.from && !spec.to && !spec.no_symmetry)
    if (const job::Coverage decisive = job::decisive_ranks(job); !decisive.empty())
      job::search_only(job, decisive);
  request.leaves_out = job::leaves_out_stretches(job);
  request.from = spec.from.value_or(to_hex(arguments.at(job.first)));
  request.to = spec.to.value_or(to_hex(arguments.at(job.last)));
}

} // namespace

job::Job job_of_format(const SearchSpec& spec) {
  job::Job job;
  job.format = find_format(spec.format);
  job.argument_precision = spec.argument_precision.value_or(job.format.precision);
  return job;
}

CpuMode cpu_mode_of(const SearchSpec& spec) {
  const char* environment = std::getenv("TMD_CPU_MODE");
  if (spec.cpu_mode || environment == nullptr || *environment == '\0')
    return spec.cpu_mode.value_or(CpuMode::automatic);
  return static_cast<CpuMode>(device::find_name("CPU mode in TMD_CPU_MODE", environment, cpu_mode_names));
}

SearchRequest resolve(const SearchSpec& spec, BoundsUse bounds) {
  if (spec.functions.empty())
    throw UsageError("no function given; `tmd functions` lists them");
  if (spec.functions.size() > 1)
    throw OptionError("function", fmt::format("one function at a time, not '{}'", fmt::join(spec.functions, ",")));
  for (const auto& [name, bound] : {std::pair("from", &spec.from), {"to", &spec.to}})
    if (bounds == BoundsUse::required && !*bound)
      throw OptionError(name, fmt::format("--{} is missing", name));
  if (spec.devices.size() > 1 && std::find(spec.devices.begin(), spec.devices.end(), "all") != spec.devices.end())
    throw OptionError("device", "--device all names every device: give no other beside it");
  if (spec.journal && spec.no_journal)
    throw OptionError("no-journal", "--journal and --no-journal exclude each other");
  (void)cpu_mode_of(spec);
  SearchRequest request;
  request.spec = request.original = spec;
  request.function = blaming("function", [&] { return function::function_of(spec.functions.front()); });
  request.job = job_of_format(spec);
  request.job.function = request.function.get();
  request.job.rounding = spec.rounding;
  request.job.K = spec.bits.value_or(default_bits(request.job));
  set_range(request);
  check_range(request);
  return request;
}

void set_part(SearchRequest& request, format::ArgumentSet::Rank first, format::ArgumentSet::Rank last) {
  if (!request.spec.shard)
    return;
  job::Job& job = request.job;
  request.shard = job::Shard{request.spec.shard->index, request.spec.shard->count, job.first, job.last};
  job.first = first;
  job.last = last;
  request.from = to_hex(job.arguments().at(first));
  request.to = to_hex(job.arguments().at(last));
}

} // namespace tmd::request
