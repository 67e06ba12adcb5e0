// The extension module tmd._tmd: libtmd's calls with plain Python values. python/tmd/api.py wraps them for users. Cases
// are packed like api.CASE. Nothing here calls Python from a thread of the library.
#include <tmd/device.hpp>
#include <tmd/function.hpp>
#include <tmd/library.hpp>
#include <tmd/search.hpp>
#include <tmd/value.hpp>

#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Remarks = std::vector<std::pair<bool, std::string>>; // whether it is a warning, and the sentence

nb::object integer(tmd::uint128 value) {
  const nb::object high = nb::int_(static_cast<std::uint64_t>(value >> 64U));
  return (high << nb::int_(64)) | nb::int_(static_cast<std::uint64_t>(value));
}

// A case as the NumPy type has it.
struct PackedCase {
  double x = 0;
  double bits = 0;
  std::uint64_t significand = 0;
  std::int32_t exponent = 0;
  bool negative = false;
  bool midpoint = false;
  std::uint8_t kind = 0;
  std::uint8_t unused = 0;
};
static_assert(sizeof(PackedCase) == 32);

// The nearest double.
double number(const tmd::Argument& x) {
  const double size = std::ldexp(static_cast<double>(x.significand), x.unit_exponent);
  return x.negative ? -size : size;
}

void pack(const tmd::Case& one, std::string& text) {
  tmd::uint128 significand = one.x.significand;
  int exponent = one.x.unit_exponent;
  for (; significand >> 64U != 0 && significand % 2 == 0; significand /= 2)
    ++exponent;
  if (significand >> 64U != 0)
    throw tmd::UsageError(
        "arguments of more than 64 bits have no place in an array: choose an argument precision of 64 "
        "bits or fewer");
  PackedCase packed{number(one.x),
                    one.bits,
                    static_cast<std::uint64_t>(significand),
                    exponent,
                    one.x.negative,
                    one.breakpoint == tmd::Breakpoint::midpoint,
                    static_cast<std::uint8_t>(one.kind)};
  text.append(reinterpret_cast<const char*>(&packed), sizeof packed);
}

nb::bytes packed(const std::vector<tmd::Case>& cases) {
  std::string text;
  text.reserve(cases.size() * sizeof(PackedCase));
  for (const tmd::Case& one : cases)
    pack(one, text);
  return nb::bytes(text.data(), text.size());
}

nb::dict format_of(const tmd::Format& format) {
  nb::dict result;
  result["name"] = format.name;
  result["precision"] = format.precision;
  result["min_exponent"] = format.min_exponent;
  result["max_exponent"] = format.max_exponent;
  return result;
}

nb::dict job_of(const tmd::JobDescription& job) {
  nb::dict result;
  result["identity"] = job.identity;
  result["function"] = job.function;
  result["format"] = format_of(job.format);
  result["argument_precision"] = job.argument_precision;
  result["rounding"] = to_string(job.rounding);
  result["values"] = to_string(job.values);
  result["bits"] = job.bits;
  result["start"] = to_hex(job.from);
  result["stop"] = to_hex(job.to);
  result["arguments"] = integer(job.arguments);
  result["expected_cases"] = job.expected_cases;
  return result;
}

nb::dict result_of(const tmd::Result& from) {
  nb::dict result;
  result["job"] = job_of(from.job);
  result["cases"] = packed(from.cases);
  result["exact"] = packed(from.exact);
  result["undecided"] = packed(from.undecided);
  nb::list ranges;
  for (const tmd::CaseRange& range : from.ranges)
    ranges.append(
        nb::make_tuple(to_hex(range.from), to_hex(range.to), integer(range.arguments), range.slope, range.offset));
  result["ranges"] = ranges;
  result["unlisted_exact"] = integer(from.unlisted_exact);
  result["arguments"] = integer(from.arguments);
  result["missing"] = integer(from.missing());
  result["seconds"] = from.seconds;
  result["devices"] = from.devices;
  return result;
}

// A search in a thread of its own; a Python thread takes its cases.
class Searching {
public:
  explicit Searching(tmd::SearchSpec spec) : spec_(std::move(spec)), thread_([this] { run(); }) {}
  Searching(const Searching&) = delete;
  Searching& operator=(const Searching&) = delete;
  ~Searching() {
    cancel();
    const nb::gil_scoped_release released;
    thread_.join();
  }

  void cancel() { cancelled_ = true; }

  // Cases that have arrived, remarks, and whether the search has ended. Waits for one of these, at most for the given
  // time.
  nb::tuple take(double seconds) {
    std::string cases;
    Remarks remarks;
    bool ended = false;
    {
      const nb::gil_scoped_release released;
      std::unique_lock lock(mutex_);
      (void)changed_.wait_for(lock, std::chrono::duration<double>(seconds),
                              [&] { return ended_ || !cases_.empty() || !remarks_.empty(); });
      cases.swap(cases_);
      remarks.swap(remarks_);
      ended = ended_;
    }
    return nb::make_tuple(nb::bytes(cases.data(), cases.size()), remarks, ended);
  }

  nb::tuple progress() {
    const std::scoped_lock lock(mutex_);
    return nb::make_tuple(integer(progress_.done), integer(progress_.total), progress_.cases, progress_.seconds);
  }

  // The result of a search that has ended. Throws the search's exception.
  nb::dict outcome() {
    if (failure_)
      std::rethrow_exception(failure_);
    nb::dict result = result_of(outcome_);
    result["cancelled"] = outcome_.cancelled;
    result["journal"] = outcome_.journal.string();
    return result;
  }

private:
  void run() {
    tmd::SearchEvents events;
    events.found = [this](const tmd::Case& one) {
      const std::scoped_lock lock(mutex_);
      pack(one, cases_);
      changed_.notify_one();
    };
    events.progress = [this](const tmd::Progress& now) {
      const std::scoped_lock lock(mutex_);
      progress_ = now;
    };
    events.cancelled = [this] { return cancelled_.load(std::memory_order_relaxed); };
    events.on_remark = [this](tmd::Remark kind, const std::string& sentence) {
      const std::scoped_lock lock(mutex_);
      remarks_.emplace_back(kind == tmd::Remark::warning, sentence);
      changed_.notify_one();
    };
    try {
      outcome_ = tmd::search(spec_, events);
    } catch (...) {
      failure_ = std::current_exception();
    }
    const std::scoped_lock lock(mutex_);
    ended_ = true;
    changed_.notify_one();
  }

  tmd::SearchSpec spec_;
  std::atomic<bool> cancelled_ = false;
  std::mutex mutex_; // the next items, until the search has ended
  std::condition_variable changed_;
  std::string cases_;
  Remarks remarks_;
  tmd::Progress progress_;
  bool ended_ = false;
  tmd::SearchOutcome outcome_;
  std::exception_ptr failure_;
  std::thread thread_;
};

// The result of a call that takes long, made without Python's lock.
template <typename Call> auto unlocked(const Call& call) {
  const nb::gil_scoped_release released;
  return call();
}

tmd::RemarkHandler into(Remarks& remarks) {
  return [&](tmd::Remark kind, const std::string& sentence) {
    remarks.emplace_back(kind == tmd::Remark::warning, sentence);
  };
}

nb::tuple estimate(const tmd::SearchSpec& spec) {
  Remarks remarks;
  const tmd::Estimate from = unlocked([&] { return tmd::estimate(spec, into(remarks)); });
  nb::dict result;
  result["arguments"] = integer(from.arguments);
  result["without_case"] = integer(from.without_case);
  result["all_cases"] = integer(from.all_cases);
  result["all_exact"] = integer(from.all_exact);
  result["left_out"] = integer(from.left_out);
  result["to_search"] = integer(from.to_search);
  result["cases"] = from.cases;
  result["seconds"] = from.seconds;
  result["is_least"] = from.is_least;
  result["devices"] = from.devices;
  result["why_unknown"] = from.why_unknown;
  return nb::make_tuple(result, remarks);
}

nb::tuple show(const tmd::JobSpec& spec, const std::string& x) {
  const tmd::ValueAt value = unlocked([&] { return tmd::value_at(spec, x); });
  std::string nearest;
  if (value.nearest)
    pack(*value.nearest, nearest);
  nb::dict rounded;
  for (const tmd::Direction direction : tmd::directions)
    rounded[nb::cast(to_string(direction))] = value.in(direction);
  return nb::make_tuple(to_hex(value.x), nb::bytes(nearest.data(), nearest.size()), rounded);
}

nb::tuple verify(const std::string& file) {
  const tmd::Verification verification = unlocked([&] { return tmd::verify_result(file); });
  constexpr std::array verdicts{"good", "failed", "note", "not done"};
  nb::list checks;
  for (const tmd::VerifyCheck& check : verification.checks)
    checks.append(nb::make_tuple(check.name, check.looked_at, verdicts.at(static_cast<std::size_t>(check.verdict)),
                                 check.remark));
  nb::list failures;
  for (const tmd::VerifyFailure& failure : verification.failures)
    failures.append(
        nb::make_tuple(failure.check, failure.objection.line, failure.objection.x, failure.objection.sentence));
  return nb::make_tuple(checks, failures);
}

nb::list libm(const tmd::LibmSpec& spec, const std::vector<std::string>& arguments) {
  const auto results = unlocked([&] { return tmd::call_libm(spec, arguments); });
  constexpr std::array verdicts{"correct", "misrounded", "undecided", "failed"};
  nb::list list;
  for (const tmd::LibmResult& one : results)
    list.append(nb::make_tuple(to_hex(one.x), to_string(one.direction),
                               verdicts.at(static_cast<std::size_t>(one.verdict)), one.returned, one.expected,
                               one.error, one.besides));
  return list;
}

nb::tuple devices() {
  Remarks remarks;
  const auto all = unlocked([&] { return tmd::list_devices(tmd::CpuMode::automatic, into(remarks)); });
  nb::list list;
  for (const tmd::DeviceInfo& device : all) {
    nb::dict one;
    one["index"] = device.index;
    one["name"] = device.name;
    one["vendor"] = device.vendor;
    one["device_class"] = device.device_class;
    one["platform"] = device.platform;
    one["driver"] = device.driver;
    one["compute_units"] = device.compute_units;
    one["global_memory"] = device.global_memory;
    one["fp64"] = device.fp64;
    one["unusable"] = device.unusable;
    one["profile"] = device.profile;
    list.append(one);
  }
  return nb::make_tuple(list, remarks);
}

nb::dict function_of(const tmd::FunctionInfo& function) {
  nb::dict result;
  result["name"] = function.name;
  result["description"] = function.description;
  result["domain"] = function.domain.text;
  result["symmetry"] = to_string(function.symmetry);
  result["exact_cases"] = function.exact_cases;
  result["theorem"] = function.theorem;
  result["scaling"] = function.scaling;
  return result;
}

void define_errors(nb::module_& module) {
  const nb::exception<tmd::Error> error(module, "Error", PyExc_RuntimeError);
  const nb::exception<tmd::UsageError> usage(module, "UsageError", error);
  const nb::exception<tmd::OptionError> option(module, "OptionError", usage);
  const nb::exception<tmd::DeviceError> device(module, "DeviceError", error);
  const nb::exception<tmd::FaultError> fault(module, "FaultError", device);
  const nb::exception<tmd::SoundnessError> soundness(module, "SoundnessError", error);
}

// The members have the names that api.search() uses.
void define_specs(nb::module_& module) {
  using tmd::SearchSpec;
  const auto cpu_mode = [](SearchSpec& spec, const std::string& name) {
    for (std::size_t i = 0; i < tmd::cpu_mode_names.size(); ++i)
      if (tmd::cpu_mode_names.at(i) == name)
        spec.cpu_mode = static_cast<tmd::CpuMode>(i);
    if (!spec.cpu_mode)
      throw tmd::OptionError("cpu-mode", "cpu_mode is '" + name + "', but must be auto, scalar or vector");
  };
  nb::class_<SearchSpec>(module, "Spec")
      .def(nb::init<>())
      .def_rw("functions", &SearchSpec::functions)
      .def_rw("start", &SearchSpec::from)
      .def_rw("stop", &SearchSpec::to)
      .def_rw("format", &SearchSpec::format)
      .def_rw("argument_precision", &SearchSpec::argument_precision)
      .def_prop_rw(
          "rounding", [](const SearchSpec& spec) { return to_string(spec.rounding); },
          [](SearchSpec& spec, const std::string& name) { spec.rounding = tmd::parse_rounding(name); })
      .def_prop_rw(
          "values",
          [](const SearchSpec& spec) { return spec.values ? std::optional(to_string(*spec.values)) : std::nullopt; },
          [](SearchSpec& spec, const std::string& name) { spec.values = tmd::parse_values(name); })
      .def_rw("bits", &SearchSpec::bits)
      .def_rw("no_symmetry", &SearchSpec::no_symmetry)
      .def_prop_rw(
          "shard",
          [](const SearchSpec& spec) {
            return std::pair(spec.shard.value_or(tmd::PartOfJob{}).index, spec.shard.value_or(tmd::PartOfJob{}).count);
          },
          [](SearchSpec& spec, std::pair<int, int> part) {
            spec.shard = tmd::PartOfJob{part.first, part.second};
          })
      .def_prop_rw(
          "algorithm", [](const SearchSpec& spec) { return spec.choices.algorithm; },
          [](SearchSpec& spec, const std::string& name) { spec.choices.algorithm = name; })
      .def_prop_rw(
          "cpu_mode", [](const SearchSpec& spec) { return to_string(spec.cpu_mode.value_or(tmd::CpuMode::automatic)); },
          cpu_mode)
      .def_rw("devices", &SearchSpec::devices)
      .def_rw("profile", &SearchSpec::profile)
      .def_rw("tunables", &SearchSpec::tunables)
      .def_rw("host_threads", &SearchSpec::host_threads)
      .def_rw("audit", &SearchSpec::audit)
      .def_rw("most_cases", &SearchSpec::most_cases)
      .def_rw("other_version", &SearchSpec::other_version)
      .def_rw("wc", &SearchSpec::wc)
      .def_rw("json", &SearchSpec::json)
      .def_rw("journal", &SearchSpec::journal)
      .def_rw("no_journal", &SearchSpec::no_journal)
      .def_rw("by_argument", &SearchSpec::by_argument)
      .def_rw("reproducible", &SearchSpec::reproducible);
  nb::class_<tmd::LibmSpec>(module, "LibmSpec")
      .def(nb::init<>())
      .def_rw("function", &tmd::LibmSpec::function)
      .def_rw("library", &tmd::LibmSpec::library)
      .def_rw("symbol", &tmd::LibmSpec::symbol)
      .def_rw("format", &tmd::LibmSpec::format)
      .def_rw("nearest_only", &tmd::LibmSpec::nearest_only)
      .def_prop_rw(
          "patience", [](const tmd::LibmSpec& spec) { return spec.patience.count(); },
          [](tmd::LibmSpec& spec, int seconds) { spec.patience = std::chrono::seconds(seconds); });
}

} // namespace

NB_MODULE(_tmd, module) {
  static_assert(std::endian::native == std::endian::little, "arrays are little-endian");
  define_errors(module);
  define_specs(module);
  nb::class_<Searching>(module, "Searching")
      .def(nb::init<tmd::SearchSpec>())
      .def("cancel", &Searching::cancel)
      .def("take", &Searching::take)
      .def("progress", &Searching::progress)
      .def("outcome", &Searching::outcome);
  module.def("describe_job",
             [](const tmd::SearchSpec& spec) { return job_of(unlocked([&] { return describe_job(spec); })); });
  module.def("estimate", &estimate);
  module.def("read",
             [](const std::string& file) { return result_of(unlocked([&] { return tmd::read_result(file); })); });
  module.def("verify", &verify);
  module.def("show", [](const tmd::SearchSpec& spec, const std::string& x) { return show(spec, x); });
  module.def("libm", &libm);
  module.def("devices", &devices);
  module.def("functions", [] {
    nb::list list;
    for (const tmd::FunctionInfo& function : tmd::list_functions())
      list.append(function_of(function));
    return list;
  });
  module.def("describe_function", [](const std::string& text) { return function_of(tmd::describe_function(text)); });
}
