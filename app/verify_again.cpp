// A result is searched again in the ways that host/search/audit.hpp knows, each on devices opened for it. A row of the
// report says what was looked at; where a device fails, or an algorithm that was asked for does not serve, it says
// that.
#include "verify_again.hpp"

#include "standard_streams.hpp"

#include "engine/registry.hpp"
#include "engine/wide/plan.hpp"
#include "opencl/cpu_mode.hpp"
#include "run/open_devices.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace tmd::app {

namespace {

constexpr int usual_seconds = 10; // of searching again

// A device that the search has not used, where there is one.
void choose_other_device(SearchSpec& spec, const RecordedSearch& file) {
  opencl::apply_cpu_mode(cpu_mode_of(spec));
  std::vector<std::string> left_out;
  for (const opencl::DeviceDescription& device : opencl::all_devices(opencl::list_devices(), left_out))
    if (std::find(file.devices.begin(), file.devices.end(), device.name) == file.devices.end()) {
      spec.devices = {std::to_string(device.index)};
      return;
    }
}

// Where nobody says what has searched, it was the wide test or a domain test, by what was asked for.
std::string_view other_algorithm(const RecordedSearch& file, const SearchResult& result) {
  if (!file.methods.empty())
    return auditing_algorithm(result);
  const std::string algorithm = file.asked ? file.asked->spec.choices.algorithm : "auto";
  const bool asked_for_domains = algorithm != "auto" && algorithm.find("wide") == std::string::npos;
  return asked_for_domains ? wide_methods[0] : "regular";
}

std::string_view name_of(AuditWay::Means means) {
  switch (means) {
  case AuditWay::Means::varied:
    return "walked again";
  case AuditWay::Means::runs:
    return "one by one";
  case AuditWay::Means::test:
    break;
  }
  return "searched again";
}

std::vector<Objection> objections_to(const AuditComparison& compared, const RecordedSearch& file,
                                     const std::vector<Case>& cases) {
  std::vector<Objection> objections;
  for (const Case& one : compared.missing)
    if (file.lists_exact() || one.kind != Case::Kind::exact)
      objections.push_back(
          {0, to_hex(one.x),
           one.kind == Case::Kind::hard
               ? fmt::format("a case of {:.4f} bits, {}, has no entry", one.bits, to_string(one.breakpoint))
               : fmt::format("it is {} and has no entry", to_string(one.kind))});
  for (const Case& one : compared.superfluous)
    // Entries that are no cases are failures of the check `entries` already.
    if (std::any_of(cases.begin(), cases.end(), [&](const Case& other) { return other.x == one.x; }))
      objections.push_back({0, to_hex(one.x), "it is a case that this search has not found"});
  return objections;
}

// The tunables that the search's command sets; for the others, what this device is given.
Tunables tunables_of(const RecordedSearch& file, const DeviceChoice& choice) {
  Tunables tunables = choice.tunables;
  if (file.asked)
    for (const auto& [name, value] : file.asked->spec.tunables)
      engine_tuning().set(tunables, name, value);
  return tunables;
}

// An algorithm that was asked for serves in some ways only: the others are not gone.
std::vector<AuditWay> those_by(const std::string& algorithm, const std::vector<AuditWay>& ways, const Auditable& what,
                               VerifyReport& report) {
  std::vector<AuditWay> kept;
  const auto is_claiming = [](const std::string& name) { return engines_for(name).front()->claim != nullptr; };
  for (const AuditWay& way : ways) {
    if (way.algorithm == algorithm && (way.means != AuditWay::Means::test || !is_claiming(algorithm))) {
      kept.push_back(way);
      continue;
    }
    const uint128 arguments = (way.means == AuditWay::Means::test ? what.tested : what.claimed_ranks).size();
    report.leave_out(name_of(way.means),
                     fmt::format("{} arguments, where --algorithm {} does not serve", to_string(arguments), algorithm));
    report.is_share_reached = false;
  }
  return kept;
}

void search_in(const AuditWay& way, VerifyReport& report, const RecordedSearch& file, const std::vector<Case>& cases,
               const Again& again, const SearchResult& result, const Auditable& what) {
  SearchRequest request;
  request.spec = again_by(way, again.spec);
  request.job = file.job();
  const OpenDevices open = open_devices(request, choose_devices(request.spec, print_remark), print_remark);
  const AuditComparison compared =
      search_again(request.job, result, what, open.workers, way, again.size, std::random_device()(), {});
  const AuditReport& found = compared.report;
  if (found.arguments == 0) {
    report.leave_out(name_of(way.means), "not one argument was in what was chosen, or in time");
    if (again.size.share > 0 || again.size.runs > 0)
      report.is_share_reached = false;
    return;
  }
  report.add(name_of(way.means),
             fmt::format("{} arguments {} on {}, {} cases{}", to_string(found.arguments), found.way,
                         open.uses.front().device.name, found.cases,
                         found.planted > 0 ? fmt::format(", and {} planted", found.planted) : ""),
             objections_to(compared, file, cases));
  report.searched_again.push_back(found);
}

// What no way leads to.
void tell_of_the_rest(VerifyReport& report, const RecordedSearch& file, const Auditable& what) {
  const uint128 left_out = file.arguments_left_out();
  const uint128 proven = file.job().size() - what.size() - left_out;
  std::string why;
  if (proven > 0)
    why = fmt::format("{} arguments of ranges that were proven at once: see ranges", to_string(proven));
  if (left_out > 0)
    why += fmt::format("{}{} arguments that were not searched", why.empty() ? "" : "; ", to_string(left_out));
  if (!why.empty())
    report.leave_out(what.size() == 0 ? name_of(AuditWay::Means::test) : "not again", why);
}

} // namespace

void add_again_options(cxxopts::Options& options) {
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add("share", "share of the arguments that is searched again, 0 to 1", text(), "SHARE");
  add("seconds", "search again for about so long (default: 10)", text(), "SECONDS");
  add("runs", "arguments to be searched one by one where only the phase walk serves (default: 131072 at most)", text(),
      "N");
  add("no-search", "search nothing again: no device is used");
  add_option(options, "algorithm", "search again by this test (default: another than the search's)");
  add_device_options(options, DeviceCount::several);
}

Again parse_again(const cxxopts::ParseResult& parsed) {
  constexpr int most_runs = 2'000'000'000;
  const auto given = [&](const char* name) { return parsed.count(name) != 0; };
  const auto text = [&](const char* name) { return parsed[name].as<std::string>(); };
  if (given("share") + given("seconds") + given("no-search") > 1)
    throw UsageError("--share, --seconds and --no-search exclude each other");
  if (given("runs") && given("no-search"))
    throw UsageError("--runs and --no-search exclude each other");
  Again again;
  again.spec = spec_of(parsed);
  again.chooses_device = !given("device");
  again.chooses_algorithm = !given("algorithm");
  if (given("share"))
    again.size.share = parse_share(text("share"), "--share");
  else if (!given("no-search"))
    again.size.seconds = given("seconds") ? parse_integer(text("seconds"), "--seconds", 1, 1'000'000) : usual_seconds;
  if (given("runs"))
    again.size.runs = static_cast<std::uint64_t>(parse_integer(text("runs"), "--runs", 1, most_runs));
  return again;
}

void check_by_search(VerifyReport& report, const RecordedSearch& file, const std::vector<Case>& cases, Again again) {
  const SearchResult result = to_search_result(file);
  const Auditable what = auditable(file.job(), result);
  const auto fail = [&](AuditWay::Means means, const DeviceError& error) { // FaultError among them
    report.device_failure = error.what();
    report.device_status = error.status();
    report.leave_out(name_of(means), report.device_failure);
  };
  std::vector<AuditWay> ways;
  try {
    if (again.chooses_device)
      choose_other_device(again.spec, file);
    Random random(std::random_device{}());
    const std::string algorithm(again.chooses_algorithm ? other_algorithm(file, result) : again.spec.choices.algorithm);
    ways = ways_of(what, algorithm, tunables_of(file, choose_devices(again.spec, print_remark).front()), random);
    if (!again.chooses_algorithm)
      ways = those_by(algorithm, ways, what, report);
  } catch (const DeviceError& error) {
    fail(AuditWay::Means::test, error);
  }
  again.size.seconds /= std::max<double>(1, static_cast<double>(ways.size()));
  for (const AuditWay& way : ways)
    try {
      search_in(way, report, file, cases, again, result, what);
    } catch (const DeviceError& error) {
      fail(way.means, error);
    }
  tell_of_the_rest(report, file, what);
}

} // namespace tmd::app
