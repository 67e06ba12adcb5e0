// One row for each option: its name and group, its help, and how text is converted to a member of SearchSpec and back.
// A member with the value of SearchSpec{} is not written.
#include "request/option_table.hpp"

#include "device/tunables.hpp"
#include "engine/domains/plan.hpp"
#include "engine/registry.hpp"
#include "engine/wide/plan.hpp"
#include "function/expression.hpp"
#include "request/numbers.hpp"
#include "request/option_error.hpp"
#include "request/progress_reports.hpp"
#include "support/text.hpp"
#include "tmd/error.hpp"
#include "tmd/format.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tmd::request {

namespace {

using Texts = SearchOption::Texts;
using Group = OptionGroup;

constexpr std::array<std::string_view, 2> check_names{"sample", "all"};
constexpr std::array<std::string_view, 2> order_of_cases_names{"hardest", "argument"};
constexpr std::array<std::string_view, 3> rounding_names{"all", "directed", "nearest"};
constexpr std::array<std::string_view, 2> values_names{"format", "unbounded"};
constexpr std::array<std::string_view, 5> format_names{"binary16", "bfloat16", "binary32", "binary64", "binary80"};
constexpr std::array<std::string_view, 4> device_names{"gpu", "cpu", "accelerator", "all"};
constexpr int most_threads = 1024;
constexpr int most_shards = 100'000;

// How text is converted to a member, and back.
struct Access {
  std::function<void(SearchSpec&, const std::string&)> set;
  std::function<Texts(const SearchSpec&)> get;
};

template <typename Value> const Value& value_in(const Value& value) { return value; }
template <typename Value> const Value& value_in(const std::optional<Value>& value) { return value.value(); }

// A member of a spec, of its job, or of its choices.
template <typename Spec, typename Value> auto& in(Spec& spec, Value JobSpec::*member) { return spec.*member; }
template <typename Spec, typename Value> auto& in(Spec& spec, Value SearchSpec::*member) { return spec.*member; }
template <typename Spec, typename Value> auto& in(Spec& spec, Value Choices::*member) { return spec.choices.*member; }

// print: converts the member's value to text, if it is not that of SearchSpec{}.
template <typename Member, typename Parse, typename Print> Access access(Member member, Parse parse, Print print) {
  return {[=](SearchSpec& spec, const std::string& text) { in(spec, member) = parse(text); },
          [=](const SearchSpec& spec) {
            const SearchSpec unsaid;
            return in(spec, member) == in(unsaid, member) ? Texts{}
                                                          : Texts{std::string(print(value_in(in(spec, member))))};
          }};
}

template <typename Member> Access flag(Member member) {
  return access(
      member, [](const std::string& text) { return text == "true"; }, [](bool) { return "true"; });
}

template <typename Member> Access text(Member member) {
  return access(
      member, [](const std::string& text) { return text; }, [](const std::string& text) { return text; });
}

// The name of a file must not look like an option.
template <typename Member> Access file(std::string name, Member member) {
  const auto parse = [name = std::move(name)](const std::string& text) {
    if (text.starts_with("--"))
      throw UsageError(fmt::format("--{} needs the name of a file; for one named '{}' write ./{}", name, text, text));
    return text;
  };
  return access(member, parse, [](const std::string& text) { return text; });
}

template <typename Member> Access integer(const std::string& name, Member member, int least, int greatest) {
  const auto parse = [=](const std::string& text) { return parse_integer(text, "--" + name, least, greatest); };
  return access(member, parse, [](int value) { return std::to_string(value); });
}

// For an enumeration whose values count from 0. what: its name in messages.
template <typename Enumeration, typename Member>
Access named(const std::string& what, Member member, std::span<const std::string_view> names) {
  const auto parse = [=](const std::string& text) {
    return static_cast<Enumeration>(device::find_name(what, text, names));
  };
  return access(member, parse, [=](Enumeration value) { return names[static_cast<std::size_t>(value)]; });
}

// "sin,cos": a list of functions, each once.
Access functions_access() {
  const auto add = [](SearchSpec& spec, const std::string& list) {
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      const std::string name = list.substr(begin, end - begin);
      if (name.empty() && !list.empty())
        throw UsageError(fmt::format("empty function name in '{}'", list));
      if (std::find(spec.functions.begin(), spec.functions.end(), name) != spec.functions.end())
        throw UsageError(fmt::format("'{}' names {} twice", list, name));
      (void)function::function_of(name);
      spec.functions.push_back(name);
      begin = end + 1;
    }
  };
  return {add, [](const SearchSpec& spec) { return spec.functions; }};
}

Access devices_access() {
  const auto add = [](SearchSpec& spec, const std::string& selector) {
    if (selector.find_first_not_of(" \t\n") == std::string::npos)
      throw UsageError(fmt::format("--device names no device: '{}'; `tmd devices` lists those there are", selector));
    spec.devices.push_back(selector);
  };
  return {add, [](const SearchSpec& spec) { return spec.devices; }};
}

Access tunables_access() {
  const auto add = [](SearchSpec& spec, const std::string& setting) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos)
      throw UsageError(fmt::format("--set takes NAME=VALUE, not '{}'", setting));
    device::Tunables scratch; // throws for an invalid name or value
    engine::engine_tuning().set(scratch, setting.substr(0, equals), setting.substr(equals + 1));
    spec.tunables.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
  };
  return {add, [](const SearchSpec& spec) {
            Texts texts;
            for (const auto& [name, value] : spec.tunables)
              texts.push_back(fmt::format("{}={}", name, value));
            return texts;
          }};
}

PartOfJob parse_part(const std::string& text) {
  const auto slash = text.find('/');
  if (slash == std::string::npos)
    throw UsageError(fmt::format("--shard takes I/N, the number of a part and how many there are, not '{}'", text));
  PartOfJob part;
  part.count = parse_integer(text.substr(slash + 1), "the N of --shard I/N", 1, most_shards);
  part.index = parse_integer(text.substr(0, slash), "the I of --shard I/N", 1, part.count);
  return part;
}

constexpr int all_cases = std::numeric_limits<int>::max();

int parse_show(const std::string& text) {
  return text == "all" ? all_cases : parse_integer(text, "--show", 0, all_cases - 1);
}

std::string known_format(const std::string& name) {
  (void)find_format(name);
  return name;
}

std::string known_algorithm(const std::string& name) {
  (void)device::find_name("algorithm", name, engine::algorithm_names());
  return name;
}

template <typename Names> Texts words(const Names& names) { return {names.begin(), names.end()}; }

Texts settings_words() {
  Texts result;
  for (const device::Tunable& tunable : engine::engine_tuning().tunables())
    result.push_back(fmt::format("{}=", tunable.name));
  return result;
}

SearchOption row(Group group, OptionText option, Access access) {
  const bool in_job_files = group != Group::output && group != Group::mpi && group != Group::kernels;
  return {std::move(option), group, in_job_files, false, std::move(access.set), std::move(access.get)};
}

SearchOption number_row(Group group, OptionText option, Access access) {
  SearchOption result = row(group, std::move(option), std::move(access));
  result.is_number = true;
  return result;
}

SearchOption not_in_job_files(SearchOption option) {
  option.in_job_files = false;
  return option;
}

std::vector<SearchOption> rows_of_the_job() {
  return {
      row(Group::function, {"function", "", "FUNCTION", true}, functions_access()),
      row(Group::range,
          {"from", "first argument: C hex float, decimal, or such as 2^100 or 1+2^-13, exact in the format", "X"},
          text(&SearchSpec::from)),
      row(Group::range,
          {"to", "end of the range, not itself searched; may be the power of two above the largest number", "Y"},
          text(&SearchSpec::to)),
      row(Group::format,
          {"format", "binary16, bfloat16, binary32, binary64, binary80, or p2 … p64 (default: binary64)", "NAME", false,
           words(format_names)},
          access(&SearchSpec::format, known_format, [](const std::string& name) { return name; })),
      number_row(Group::format, {"argument-precision", "bits of the arguments (default: the format's)", "Q"},
                 integer("argument-precision", &SearchSpec::argument_precision, 2, max_precision + 1)),
      row(Group::job,
          {"rounding", "breakpoints: all, directed (representable numbers), nearest (midpoints) (default: all)", "GRID",
           false, words(rounding_names)},
          access(&SearchSpec::rounding, parse_rounding, [](Rounding rounding) { return to_string(rounding); })),
      row(Group::job,
          {"values",
           "values as the format has them, subnormal ones included, or with unbounded exponents\n(default: unbounded, "
           "but "
           "format where --from or --to is left out)",
           "KIND", false, words(values_names)},
          access(&SearchSpec::values, parse_values, [](Values values) { return to_string(values); })),
      number_row(
          Group::job,
          {"bits",
           "find distances below 2^-K breakpoint spacings (default: bits of the format or of the\narguments, the "
           "larger, less 9, and at least 3)",
           "K"},
          integer("bits", &SearchSpec::bits, 1, most_bits)),
  };
}

std::vector<SearchOption> rows_of_the_means() {
  return {
      row(Group::method,
          {"algorithm", fmt::format("{} (default: auto)", fmt::join(engine::algorithm_names(), ", ")), "NAME", false,
           words(engine::algorithm_names())},
          access(&Choices::algorithm, known_algorithm, [](const std::string& name) { return name; })),
      number_row(
          Group::method,
          {"domain-bits", "log2 of the arguments in a domain, or in a group of the wide test (default: chosen)", "n"},
          integer("domain-bits", &Choices::domain_bits, engine::domains::fewest_domain_bits,
                  std::max(engine::domains::most_domain_bits, engine::wide::most_group_bits))),
      row(Group::device,
          {"device",
           "index, gpu, cpu, accelerator, part of a name (default: a GPU, else the first);\nmay be repeated, or all",
           "SEL", true, words(device_names)},
          devices_access()),
      row(Group::device,
          {"cpu-mode", "SIMD on CPUs: auto, scalar, vector (default: TMD_CPU_MODE, else auto)", "MODE", false,
           words(cpu_mode_names)},
          named<CpuMode>("CPU mode", &SearchSpec::cpu_mode, cpu_mode_names)),
      row(Group::device,
          {"profile", "a profile to use, as `tmd tune --output` writes it (default: of those installed)", "FILE"},
          file("profile", &SearchSpec::profile)),
      row(Group::device, {"set", "set a tunable, NAME=VALUE; may be repeated", "NAME=VALUE", true, settings_words()},
          tunables_access()),
      row(Group::kernels, {"foreign-kernels", "use kernels other than those that this program was built with"},
          flag(&SearchSpec::foreign_kernels)),
      row(Group::engine,
          {"deployment", "three kernels, one a phase, or one; the wide test has its own (default: three)", "NAME",
           false, words(deployment_names)},
          named<Deployment>("deployment", &Choices::deployment, deployment_names)),
      row(Group::engine, {"compaction", "auto, atomic, scan (default: auto)", "NAME", false, words(compaction_names)},
          named<Compaction>("compaction", &Choices::compaction, compaction_names)),
      row(Group::engine,
          {"polynomials", "coefficients made by: auto, host, hybrid (the device) (default: auto)", "NAME", false,
           words(polynomials_names)},
          named<Polynomials>("way to make polynomials", &Choices::polynomials, polynomials_names)),
      not_in_job_files(row(Group::internal, {"check-polynomials", "", "WHICH", false, words(check_names)},
                           named<bool>("check", &Choices::check_all_polynomials, check_names))),
      not_in_job_files(row(Group::internal, {"test-all-kernels", ""}, flag(&Choices::test_all_kernels))),
  };
}

std::vector<SearchOption> rows_of_the_run() {
  return {
      number_row(Group::run,
                 {"host-threads",
                  "threads that plan and confirm (default: as many as cores), and make polynomials (of a CPU: 1)", "T"},
                 integer("host-threads", &SearchSpec::host_threads, 1, most_threads)),
      not_in_job_files(
          row(Group::run,
              {"shard", "search only part I of N, of equal predicted cost, the same on every machine; see `tmd merge`",
               "I/N"},
              access(&SearchSpec::shard, parse_part,
                     [](const PartOfJob& part) { return fmt::format("{}/{}", part.index, part.count); }))),
      number_row(
          Group::run,
          {"audit",
           "share of the arguments that another test searches again, 0 to 1 (default: what takes 1 % of the time "
           "of a search of a minute or more)",
           "SHARE"},
          access(
              &SearchSpec::audit, [](const std::string& share) { return parse_share(share, "--audit"); },
              [](double share) { return fmt::format("{}", share); })),
      row(Group::run, {"no-symmetry", "for whole functions, do not skip arguments that follow by symmetry or scaling"},
          flag(&SearchSpec::no_symmetry)),
      row(Group::mpi, {"mpi", "share the work with the other ranks that mpirun or srun has started"},
          flag(&SearchSpec::mpi)),
      not_in_job_files(row(Group::run,
                           {"other-version", "resume also the journal of another program: the result names both"},
                           flag(&SearchSpec::other_version))),
      number_row(Group::run,
                 {"most-cases", "refuse a search that is expected to find more than N cases (default: 10000000)", "N"},
                 integer("most-cases", &SearchSpec::most_cases, 1, std::numeric_limits<int>::max())),
      not_in_job_files(
          row(Group::run, {"dry-run", "say what would be searched, without searching"}, flag(&SearchSpec::dry_run))),
  };
}

std::vector<SearchOption> rows_of_the_output() {
  const auto parse_order = [](const std::string& name) {
    return device::find_name("order", name, order_of_cases_names) == 1;
  };
  SearchOption order = row(Group::output,
                           {"order", "order of the cases in --wc: hardest (first) or argument (default: hardest)",
                            "ORDER", false, words(order_of_cases_names)},
                           access(&SearchSpec::by_argument, parse_order, [](bool) { return "argument"; }));
  order.in_job_files = true;
  return {
      row(Group::output, {"wc", "write the cases in CORE-MATH's format", "FILE"}, file("wc", &SearchSpec::wc)),
      std::move(order),
      row(Group::output, {"json", "write everything as JSON Lines", "FILE"}, file("json", &SearchSpec::json)),
      row(Group::output,
          {"reproducible", "leave out of --json what differs from run to run: devices, the planner's choices, times"},
          flag(&SearchSpec::reproducible)),
      row(Group::output,
          {"journal",
           "record progress in FILE, so that the search can be resumed (default: FILE.journal beside --wc or else "
           "--json)",
           "FILE"},
          file("journal", &SearchSpec::journal)),
      row(Group::output, {"no-journal", "record no progress: an interrupted search starts again"},
          flag(&SearchSpec::no_journal)),
      row(Group::output,
          {"progress", "report progress on stderr every so many seconds: lines:SECONDS or json:SECONDS", "FORM:S"},
          access(
              &SearchSpec::progress, [](const std::string& form) { return parse_progress(form); },
              [](const ProgressReports& reports) { return to_string(reports); })),
      row(Group::output, {"ledger", "print every term of the error ledger for every piece"}, flag(&SearchSpec::ledger)),
      row(Group::output,
          {"show", "print the hardest N cases: a number, or all (default: all, but 20 beside a file)", "N|all", false,
           words(std::array{"all"})},
          access(&SearchSpec::show, parse_show,
                 [](int most) { return most == all_cases ? "all" : std::to_string(most); })),
      row(Group::output, {"quiet", "print no heading, no cases and no progress, only the counts"},
          flag(&SearchSpec::quiet)),
  };
}

} // namespace

std::span<const SearchOption> option_table() {
  static const std::vector<SearchOption> table = [] {
    std::vector<SearchOption> rows;
    for (auto part : {rows_of_the_job(), rows_of_the_means(), rows_of_the_run(), rows_of_the_output()})
      std::move(part.begin(), part.end(), std::back_inserter(rows));
    return rows;
  }();
  return table;
}

const SearchOption& find_option(std::string_view name) {
  std::vector<std::string_view> names;
  for (const SearchOption& option : option_table()) {
    if (option.name == name)
      return option;
    names.push_back(option.name);
  }
  throw UsageError(fmt::format("unknown option '{}'{}", name, support::did_you_mean(name, names)));
}

std::vector<SearchOption> options_in(OptionGroup group) {
  std::vector<SearchOption> result;
  for (const SearchOption& option : option_table())
    if (option.group == group)
      result.push_back(option);
  return result;
}

void set_option(SearchSpec& spec, const SearchOption& option, const std::string& text) {
  blaming(option.name, [&] { option.set(spec, text); });
}

} // namespace tmd::request
