#include "result/result_file.hpp"

#include "engine/wide/plan.hpp"
#include "engine/wide/search.hpp"
#include "request/command.hpp"
#include "request/spec_json.hpp"
#include "result/record.hpp"
#include "result/wc.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace tmd {

namespace {

constexpr int most_bits_of_a_job = 120;

UsageError no_result(std::string_view name, std::string_view why) {
  return UsageError(fmt::format("'{}' is no result of tmd search: {}", name, why));
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

// Calls use(line, its number) for every line that is not blank.
template <typename Use> void each_full_line(const TextSource& text, const Use& use) {
  each_line(text, [&](const Line& line) {
    if (!is_blank(line.text))
      use(line.text, line.number);
  });
}

FoundEntry entry_of(std::size_t line, const Case& found, double bits) {
  return {line, found.x, found.kind, found.kind == Case::Kind::hard ? std::optional(bits) : std::nullopt,
          found.breakpoint};
}

// What was asked for: the request, and of a file of 0.1.0, which has none, the command.
SearchSpec asked_for(const std::optional<Json>& request, const std::string& command) {
  if (!request)
    return spec_of_command(command);
  SearchSpec spec = spec_of_json(*request);
  if (const std::string said = command_of(spec); command != said)
    throw UsageError(fmt::format("it is not that of the request, '{}'", said));
  return spec;
}

void resolve_request(ResultFile& file, const std::function<SearchSpec()>& request) {
  file.is_merged = file.command.starts_with("tmd merge ");
  if (file.is_merged)
    return;
  try {
    file.asked = resolve(request());
    file.is_by_argument = file.asked->spec.by_argument;
  } catch (const UsageError& error) {
    file.not_asked = error.what();
  }
}

class RecordReader {
public:
  explicit RecordReader(std::string_view name) : name_(name) {}

  ResultFile read(const TextSource& text) {
    each_full_line(text, [&](std::string_view line, std::size_t number) {
      if (line.front() != '{') // drivers may print where the file goes to
        return;
      const Json record = Json::parse(line, nullptr, false);
      try {
        if (!record.is_object() || !record.contains("type"))
          throw UsageError("it is no record");
        begun_ ? read(record, number) : begin(record, number);
      } catch (const Json::exception&) {
        complain(number, "a key of the record is missing, or of another type");
      } catch (const UsageError& error) {
        complain(number, error.what());
      } catch (const SoundnessError& error) {
        complain(number, error.what());
      }
    });
    if (!begun_)
      throw no_result(name_, "it has no records");
    if (!file_.stated)
      file_.mistakes.push_back({0, "there is no summary record: the file has been cut off"});
    return std::move(file_);
  }

private:
  void complain(std::size_t line, const std::string& sentence) {
    if (!begun_)
      throw no_result(name_, fmt::format("line {}: {}", line, sentence));
    file_.mistakes.push_back({line, sentence});
  }

  void begin(const Json& record, std::size_t line) {
    if (record.at("type") != "search")
      throw UsageError("it does not begin with a `search` record");
    require_schema(record);
    file_.owned = read_parts_of_job(record);
    if (const auto bits = record.at("bits").get<std::int64_t>(); bits < 1 || bits > most_bits_of_a_job)
      throw UsageError(fmt::format("{} is no K", bits));
    file_.said = record.at("job");
    file_.program = read_program(record);
    file_.other_programs = read_other_programs(record);
    file_.command = record.at("command");
    begun_ = true;
    const auto request = record.find("request");
    resolve_request(file_, [&] {
      return asked_for(request == record.end() ? std::nullopt : std::optional(*request), file_.command);
    });
    file_.symmetry = read_symmetry(record.value("symmetry", Json()));
    file_.scaling = record.value("scaling", Json());
    const Json decisive = decisive_record(file_.job());
    const bool may_lack_it = !file_.job().by_scaling || decisive.size() == 1; // its range is the same
    if (const Json said = record.value("decisive", may_lack_it ? decisive : Json()); said != decisive)
      complain(line, fmt::format("by its scaling {} decide the rest, not {}", decisive.dump(), said.dump()));
    if (record.contains("shard"))
      file_.shard = read_shard(file_.job(), record["shard"]);
    if (record.at("precision") != file_.job().format.precision)
      complain(line, fmt::format("its precision is {}, that of {} is {}", record.at("precision").dump(),
                                 file_.job().format.name, file_.job().format.precision));
    read_devices(record);
  }

  // What was used, where it is told.
  void read_devices(const Json& record) {
    if (record.contains("device"))
      file_.devices.push_back(record.at("device").at("name"));
    if (record.contains("devices"))
      for (const Json& one : record.at("devices"))
        file_.devices.push_back(one.at("device").at("name"));
    if (record.contains("ledger"))
      for (const Json& field : record.at("ledger"))
        for (const auto& [method, intervals] : field.at("methods").items())
          file_.methods.insert(method);
  }

  void read(const Json& record, std::size_t line) {
    const std::string type = record.at("type");
    if (file_.stated)
      throw UsageError("it stands behind the summary");
    if (type == "search")
      throw UsageError("it is a second `search` record");
    if (type == "case" || type == "exact" || type == "undecided") {
      const Case one = read_case(file_.job(), record);
      file_.found.push_back(entry_of(line, one, one.bits));
    } else if (type == "range") {
      read_range_record(record, line);
    } else if (type == "summary") {
      read_summary(record, line);
    }
  }

  void read_range_record(const Json& record, std::size_t line) {
    SearchResult one;
    read_range(one, file_.job(), record);
    const bool is_searched = !one.regimes.empty();
    const Coverage& ranks = is_searched ? one.covered : one.gaps.empty() ? one.left_out : one.gaps;
    const RankInterval interval{ranks.intervals().front().first, ranks.intervals().front().last};
    // All that the record says must follow from what has been read of it.
    const Json again = is_searched        ? range_record(file_.job(), one.regimes.front())
                       : one.gaps.empty() ? left_out_record(file_.job(), interval)
                                          : gap_record(file_.job(), interval);
    for (const auto& [key, value] : again.items())
      if (!record.contains(key) || record[key] != value)
        file_.mistakes.push_back({line, fmt::format("its `{}` should be {}", key, value.dump())});
    file_.in_ranges.add(ranks);
    if (is_searched)
      file_.regimes.push_back({line, one.regimes.front()});
    else
      file_.left_out.push_back({line, interval});
  }

  void read_summary(const Json& record, std::size_t line) {
    StatedCounts stated;
    stated.line = line;
    stated.arguments = to_integer(record.at("arguments"));
    stated.cases = to_integer(record.at("cases"));
    stated.exact = to_integer(record.at("exact"));
    stated.exact_listed = to_integer(record.value("exact_listed", record["exact"]));
    file_.has_all_exact = stated.exact_listed == stated.exact;
    stated.undecided = to_integer(record.at("undecided"));
    stated.cases_in_ranges = to_integer(record.at("cases_in_ranges"));
    stated.none_in_ranges = to_integer(record.at("none_in_ranges"));
    stated.left_out = to_integer(record.at("left_out")) + to_integer(record.value("gaps", Json(0)));
    stated.partial = record.at("partial");
    if (record.contains("seconds"))
      stated.seconds = record["seconds"].get<double>();
    file_.stated = stated;
  }

  std::string_view name_;
  bool begun_ = false;
  ResultFile file_;
};

// Takes a prefix off the text where it has it.
bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix))
    return false;
  text.remove_prefix(prefix.size());
  return true;
}

// What stands before a mark, which is taken off with it. Throws UsageError where there is none.
std::string_view take_until(std::string_view& text, std::string_view mark) {
  const std::size_t end = text.find(mark);
  if (end == std::string_view::npos)
    throw UsageError(fmt::format("'{}' is missing in it", mark));
  const std::string_view found = text.substr(0, end);
  text.remove_prefix(end + mark.size());
  return found;
}

uint128 count_of(std::string_view digits) {
  if (digits.empty())
    throw UsageError("a number is missing in it");
  return to_integer(Json(std::string(digits)));
}

class ListReader {
public:
  explicit ListReader(std::string_view name) : name_(name) {}

  ResultFile read(const TextSource& text) {
    file_.kind = ResultFile::Kind::list;
    read_head(text);
    each_full_line(text, [&](std::string_view line, std::size_t number) {
      try {
        if (take(line, "# "))
          read_comment(line, number);
        else
          file_.found.push_back({number, argument(line), Case::Kind::hard, {}, {}});
      } catch (const UsageError& error) {
        file_.mistakes.push_back({number, error.what()});
      } catch (const SoundnessError& error) {
        file_.mistakes.push_back({number, error.what()});
      }
    });
    if (!file_.stated)
      file_.mistakes.push_back({0, "no comment says how many arguments and cases there are"});
    if (!is_claimed_)
      file_.mistakes.push_back({0, "no comment says that it is complete"});
    return std::move(file_);
  }

private:
  // The request, which says what the list is of; of a part of a job, the first line says of which.
  void read_head(const TextSource& text) {
    std::optional<Json> request;
    (void)any_line(text, [&](const Line& line) {
      std::string_view words = line.text;
      if (file_.command.empty() && take(words, "# Made by tmd ")) {
        read_program_comment(take_until(words, " with: "));
        file_.command = words;
      } else if (take(words, "# Request: ")) {
        request = Json::parse(words, nullptr, false);
      } else if (take(words, "# Hard-to-round cases of ")) {
        file_.said = words;
      }
      return false; // what drivers print may stand before it
    });
    if (file_.command.empty())
      throw no_result(name_, "it has neither records nor a comment `# Made by tmd … with: …`; `tmd check` looks at "
                             "other lists");
    resolve_request(file_, [&] { return asked_for(request, file_.command); });
    if (file_.is_merged)
      throw no_result(name_, "it was merged, and only its records, of `tmd merge --json`, say of which job");
    if (!file_.asked)
      throw no_result(name_, fmt::format("its command '{}' is none: {}", file_.command, file_.not_asked));
    file_.owned = {file_.asked->function, file_.asked->job};
    if (file_.asked->spec.shard)
      read_part(file_.said);
  }

  // "FUNCTION on [FIRST, LAST), …".
  void read_part(std::string_view said) {
    (void)take_until(said, " on [");
    Job& job = file_.owned.job;
    const ArgumentSet arguments = job.arguments();
    const RankInterval part{arguments.parse(take_until(said, ", "), "first"),
                            arguments.parse(take_until(said, ")"), "last")};
    if (part.first >= part.last || part.first < job.first || part.last > job.last)
      throw no_result(name_, "the range in its first line is empty, or not within that of the job");
    job.first = part.first;
    job.last = part.last;
  }

  // "0.2.0 (commit 0123456789ab)", or a version without a commit.
  void read_program_comment(std::string_view text) {
    file_.program.version = text.substr(0, text.find(' '));
    if (text.find("(commit ") != std::string_view::npos) {
      (void)take_until(text, "(commit ");
      file_.program.commit = take_until(text, ")");
    }
  }

  // "0.2.0 (commit 0123456789ab, kernels 0123456789abcdef)", or the same without a commit.
  void read_other_program(std::string_view text) {
    Program& other = file_.other_programs.emplace_back();
    other.version = take_until(text, " (");
    if (take(text, "commit "))
      other.commit = take_until(text, ", ");
    (void)take_until(text, "kernels ");
    other.kernels.digest = take_until(text, ")");
  }

  void read_comment(std::string_view text, std::size_t line) {
    if (text.starts_with("Hard-to-round cases of ") || text.starts_with("Request: ")) {
      return; // read before
    }
    if (take(text, "Kernels: ")) {
      file_.program.kernels = {std::string(text.substr(0, text.find_first_of(" ,"))),
                               text.find(' ') != std::string_view::npos};
    } else if (take(text, "Also found by tmd ")) {
      read_other_program(text);
    } else if (take(text, "Exact: ")) {
      if (text.find(" more") != std::string_view::npos)
        file_.has_all_exact = false;
      else
        file_.found.push_back({line, argument(text), Case::Kind::exact, {}, {}});
    } else if (take(text, "Undecided: ")) {
      file_.found.push_back({line, argument(text), Case::Kind::undecided, {}, {}});
    } else if (take(text, "Range ")) {
      read_range_comment(text, line);
    } else if (text.starts_with("Complete: ") || text.starts_with("Partial: ")) {
      is_claimed_ = true;
      is_partial_ = text.starts_with("Partial");
      const std::string bound = fmt::format(" closer than 2^-{} spacings ", file_.job().bits);
      if (text.find(bound) == std::string_view::npos)
        throw UsageError(fmt::format("it does not say '{}'", bound));
    } else if (!text.starts_with("Made by tmd ")) {
      StatedCounts stated;
      stated.line = line;
      stated.arguments = count_of(take_until(text, " arguments covered; "));
      stated.cases = count_of(take_until(text, " cases, "));
      stated.exact = count_of(take_until(text, " exact cases"));
      file_.has_all_exact = file_.has_all_exact && !text.starts_with(" not listed"); // as older lists say
      stated.partial = is_partial_;
      file_.stated = stated;
    }
  }

  void read_range_comment(std::string_view text, std::size_t line) {
    const std::string_view whole = text;
    (void)take_until(text, "[");
    const ArgumentSet arguments = file_.job().arguments();
    const RankInterval ranks{arguments.parse(take_until(text, ", "), "first"),
                             arguments.parse(take_until(text, "]: "), "last") + 1};
    if (ranks.first >= ranks.last || ranks.first < file_.job().first || ranks.last > file_.job().last)
      throw UsageError("the range is empty, or not within that of the job");
    (void)take_until(text, " arguments");
    const bool is_left_out = take(text, " not searched");
    RegimeRange range{ranks, {}};
    if (!is_left_out && !take(text, ", none a case"))
      range.regime.rule = rule(text);
    const Coverage::Interval interval{ranks.first, ranks.last};
    const std::string again = is_left_out ? describe_left_out(file_.job(), interval) : describe(file_.job(), range);
    if (whole != again)
      file_.mistakes.push_back({line, fmt::format("it should be '{}'", again)});
    file_.in_ranges.add(ranks.first, ranks.last);
    if (is_left_out)
      file_.left_out.push_back({line, ranks});
    else
      file_.regimes.push_back({line, range});
  }

  [[nodiscard]] static BreakpointRule rule(std::string_view text) {
    (void)take_until(text, "f(x) ");
    BreakpointRule rule;
    rule.is_above = take_until(text, " ") == ">";
    rule.slope = take_until(text, "*x + ");
    rule.offset = text.substr(0, text.find(','));
    if (text.find("midpoint") != std::string_view::npos)
      rule.breakpoint = Breakpoint::midpoint;
    else if (text.find("representable") != std::string_view::npos)
      rule.breakpoint = Breakpoint::representable;
    return rule;
  }

  [[nodiscard]] Argument argument(std::string_view text) const {
    const ArgumentSet arguments = file_.job().arguments();
    return arguments.at(arguments.parse(text, "x"));
  }

  std::string_view name_;
  bool is_partial_ = false;
  bool is_claimed_ = false; // complete, or partial
  ResultFile file_;
};

} // namespace

std::size_t ResultFile::count(Case::Kind wanted) const {
  std::size_t count = 0;
  for (const FoundEntry& one : found)
    count += one.kind == wanted ? 1 : 0;
  return count;
}

bool has_records(const TextSource& text) {
  bool is_first = true;
  return any_line(text, [&](const Line& line) {
    const std::size_t begin = line.text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos)
      return false;
    return (std::exchange(is_first, false) && line.text[begin] == '{') || is_record_of("search", line.text);
  });
}

ResultFile parse_result(const TextSource& text, std::string_view name) {
  if (!any_line(text, [](const Line& line) { return !is_blank(line.text); }))
    throw no_result(name, "it is empty");
  return has_records(text) ? RecordReader(name).read(text) : ListReader(name).read(text);
}

std::vector<FoundEntry> entries_of(const Findings& found) {
  std::vector<FoundEntry> entries;
  for (const auto* list : {&found.cases, &found.exact, &found.undecided})
    for (const Case& one : *list)
      entries.push_back(entry_of(0, one, four_decimals(one.bits)));
  return entries;
}

ResultFile result_of(const JournalContents& journal) {
  ResultFile file;
  file.kind = ResultFile::Kind::journal;
  const std::vector<Program> programs = journal.programs();
  file.program = programs.front();
  file.other_programs.assign(programs.begin() + 1, programs.end());
  file.command = journal.header.command;
  resolve_request(file, [&] { return journal.header.request; });
  file.owned = journal.owned;
  file.said = journal.job().identity();
  file.symmetry = journal.header.symmetry;
  file.scaling = scaling_record(journal.job());
  file.shard = journal.header.shard;
  for (const JournalDevice& one : journal.devices)
    file.devices.push_back(one.name);
  const SearchResult& result = journal.result;
  if (stage(result.stages, wide_stages[1].name).tested > 0)
    file.methods.insert(std::string(wide_methods[0]));
  file.found = entries_of(result);
  for (const RegimeRange& one : result.regimes) {
    file.regimes.push_back({0, one});
    file.in_ranges.add(one.ranks.first, one.ranks.last);
  }
  for (const auto& [first, last] : result.covered.complement_in(journal.job().range()).intervals()) {
    file.left_out.push_back({0, {first, last}});
    file.in_ranges.add(first, last);
  }
  StatedCounts stated;
  stated.arguments = result.arguments();
  stated.cases = result.cases.size();
  stated.exact = result.exact.size();
  stated.exact_listed = stated.exact - result.exact.unlisted();
  file.has_all_exact = result.exact.unlisted() == 0;
  stated.partial = !file.left_out.empty();
  file.stated = stated;
  return file;
}

SearchResult to_search_result(const ResultFile& file) {
  SearchResult result;
  for (const FoundEntry& one : file.found)
    result.add(Case{one.x, one.bits.value_or(std::numeric_limits<double>::infinity()),
                    one.breakpoint.value_or(Breakpoint::representable), one.kind});
  if (file.stated && !file.has_all_exact)
    result.exact.add_unlisted(static_cast<std::size_t>(
        file.stated->exact - std::min<uint128>(file.stated->exact, file.count(Case::Kind::exact))));
  for (const RegimeEntry& one : file.regimes)
    result.regimes.push_back(one.range);
  for (const LeftOutEntry& one : file.left_out)
    result.left_out.add(one.ranks.first, one.ranks.last);
  result.covered = result.left_out.complement_in(file.job().range());
  FieldReport& fields = result.fields.emplace_back();
  for (const std::string& method : file.methods)
    fields.methods[method] = 1;
  result.sort();
  return result;
}

} // namespace tmd
