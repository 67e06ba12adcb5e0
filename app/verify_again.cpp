// Searches a result again in the ways that host/search/audit.hpp knows, each on devices opened for it. A row of the
// report says what was searched, or that a device failed, or that the requested algorithm does not serve.
#include "verify_again.hpp"

#include "standard_streams.hpp"

#include "engine/registry.hpp"
#include "opencl/cpu_mode.hpp"
#include "report/searched_again.hpp"
#include "run/open_devices.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace tmd::app {

namespace {

constexpr int usual_seconds = 10; // duration of searching again

// Chooses a device that the search has not used, if there is one.
void choose_other_device(SearchSpec& spec, const result::RecordedSearch& file) {
  opencl::apply_cpu_mode(request::cpu_mode_of(spec));
  std::vector<std::string> left_out;
  for (const opencl::DeviceDescription& device : opencl::all_devices(opencl::list_devices(), left_out))
    if (std::find(file.devices.begin(), file.devices.end(), device.name) == file.devices.end()) {
      spec.devices = {std::to_string(device.index)};
      return;
    }
}

// The tunables that the search's command sets; the others are those of this device.
device::Tunables tunables_of(const result::RecordedSearch& file, const run::DeviceChoice& choice) {
  device::Tunables tunables = choice.tunables;
  if (file.asked)
    for (const auto& [name, value] : file.asked->spec.tunables)
      engine::engine_tuning().set(tunables, name, value);
  return tunables;
}

void search_in(const searches::AuditWay& way, report::VerifyReport& report, const result::RecordedSearch& file,
               const std::vector<Case>& cases, const Again& again, const result::SearchResult& result,
               const searches::Auditable& what) {
  request::SearchRequest request;
  request.spec = run::again_by(way, again.spec);
  request.job = file.job();
  const run::OpenDevices open =
      run::open_devices(request, run::choose_devices(request.spec, print_remark), print_remark);
  const searches::AuditComparison compared =
      searches::search_again(request.job, result, what, open.workers, way, again.size, std::random_device()(), {});
  report::report_searched_again(report, file, cases, {way, again.size, open.uses.front().device.name}, compared);
}

} // namespace

void add_again_options(cxxopts::Options& options) {
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add("share", "share of the arguments that is searched again, 0 to 1", text(), "SHARE");
  add("seconds", "search again for about so long (default: 10)", text(), "SECONDS");
  add("runs",
      "arguments to be searched one by one where only the phase walk or fractions can be used (default: 131072 at "
      "most)",
      text(), "N");
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
    again.size.share = request::parse_share(text("share"), "--share");
  else if (!given("no-search"))
    again.size.seconds =
        given("seconds") ? request::parse_integer(text("seconds"), "--seconds", 1, 1'000'000) : usual_seconds;
  if (given("runs"))
    again.size.runs = static_cast<std::uint64_t>(request::parse_integer(text("runs"), "--runs", 1, most_runs));
  return again;
}

void check_by_search(report::VerifyReport& report, const result::RecordedSearch& file, const std::vector<Case>& cases,
                     Again again) {
  const result::SearchResult result = result::to_search_result(file);
  const searches::Auditable what = searches::auditable(file.job(), result);
  const auto fail = [&](searches::AuditWay::Means means, const DeviceError& error) { // includes FaultError
    report.device_failure = error.what();
    report.device_status = error.status();
    report.leave_out(report::name_of(means), report.device_failure);
  };
  std::vector<searches::AuditWay> ways;
  try {
    if (again.chooses_device)
      choose_other_device(again.spec, file);
    number::Random random(std::random_device{}());
    const std::string algorithm(again.chooses_algorithm ? report::other_algorithm(file, result)
                                                        : again.spec.choices.algorithm);
    ways = searches::ways_of(what, algorithm, tunables_of(file, run::choose_devices(again.spec, print_remark).front()),
                             random);
    if (!again.chooses_algorithm)
      ways = report::ways_by(algorithm, ways, what, report);
  } catch (const DeviceError& error) {
    fail(searches::AuditWay::Means::test, error);
  }
  again.size.seconds /= std::max<double>(1, static_cast<double>(ways.size()));
  for (const searches::AuditWay& way : ways)
    try {
      search_in(way, report, file, cases, again, result, what);
    } catch (const DeviceError& error) {
      fail(way.means, error);
    }
  report::report_rest(report, file, what);
}

} // namespace tmd::app
