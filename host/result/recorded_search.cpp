// A file is recognized by reader.cpp, and read by the reader of its form (forms.hpp); what these have in common is
// here: entries are counted and handed on, ranges are checked against what follows from them, requests are resolved.
// Journals, which have a reader of their own, are brought into the same type.
#include "result/recorded_search.hpp"

#include "engine/wide/plan.hpp"
#include "engine/wide/search.hpp"
#include "request/command.hpp"
#include "request/spec_json.hpp"
#include "result/forms.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace tmd::result {

namespace {

// A request, and of a file of 0.1.0, which has none, the command.
SearchSpec asked_for(const std::optional<Json>& request, const std::string& command) {
  if (!request)
    return request::spec_of_command(command);
  SearchSpec spec = request::spec_of_json(*request);
  if (const std::string said = request::command_of(spec); command != said)
    throw UsageError(fmt::format("it is not that of the request, '{}'", said));
  return spec;
}

void resolve(RecordedSearch& search, const std::function<SearchSpec()>& request) {
  search.is_merged = search.command.starts_with("tmd merge ");
  if (search.is_merged)
    return;
  try {
    search.asked = request::resolve(request());
    search.is_by_argument = search.asked->spec.by_argument;
  } catch (const UsageError& error) {
    search.not_asked = error.what();
  }
}

RecordedSearch read_journal_search(const ResultText& text, const EntrySink& use) {
  RecordedSearch entries;
  const JournalContents journal = parse_journal(text.text, text.name, [&](const Case& one) {
    add_entry(entries, use, entry_of(0, one, four_decimals(one.bits)));
  });
  RecordedSearch search = recorded(journal);
  search.entries = std::move(entries.entries);
  search.found = std::move(entries.found);
  search.summary->cases = search.entries.hard;
  search.summary->exact_listed = search.entries.exact;
  search.summary->exact += search.entries.exact; // with those that are only counted
  return search;
}

} // namespace

UsageError no_result(std::string_view name, std::string_view why) {
  return UsageError(fmt::format("'{}' is not a result of tmd search: {}", name, why));
}

void each_full_line(const support::TextSource& text, const std::function<void(std::string_view, std::size_t)>& read,
                    const std::function<void(std::size_t, const std::string&)>& complain) {
  support::each_line(text, [&](const support::Line& line) {
    if (line.text.find_first_not_of(" \t\r") == std::string_view::npos)
      return;
    try {
      read(line.text, line.number);
    } catch (const Json::exception&) {
      complain(line.number, "a key of the record is missing or has the wrong type");
    } catch (const UsageError& error) {
      complain(line.number, error.what());
    } catch (const SoundnessError& error) {
      complain(line.number, error.what());
    }
  });
}

void EntryCounts::add(Case::Kind kind) {
  ++(kind == Case::Kind::hard ? hard : kind == Case::Kind::exact ? exact : undecided);
}

void EntryCounts::add(const FoundEntry& entry) {
  add(entry.kind);
  if (entry.kind != Case::Kind::hard || !entry.bits || !entry.breakpoint)
    return;
  const auto [known, is_new] = hardest.try_emplace(std::string(to_string(*entry.breakpoint)), entry);
  if (!is_new && *entry.bits > *known->second.bits)
    known->second = entry;
}

FoundEntry entry_of(std::size_t line, const Case& found, double bits) {
  return {line, found.x, found.kind, found.kind == Case::Kind::hard ? std::optional(bits) : std::nullopt,
          found.breakpoint};
}

Case case_of(const FoundEntry& entry) {
  return {entry.x, entry.bits.value_or(std::numeric_limits<double>::infinity()),
          entry.breakpoint.value_or(Breakpoint::representable), entry.kind};
}

void add_entry(RecordedSearch& search, const EntrySink& use, const FoundEntry& entry) {
  search.entries.add(entry);
  if (use)
    use(entry);
  else
    search.found.push_back(entry);
}

void add_range(RecordedSearch& search, const Json& record, std::size_t line) {
  SearchResult one;
  const job::Job& job = search.job();
  read_range(one, job, record);
  const bool is_searched = !one.regimes.empty();
  const job::Coverage& ranks = is_searched ? one.covered : one.gaps.empty() ? one.left_out : one.gaps;
  const job::RankInterval interval{ranks.intervals().front().first, ranks.intervals().front().last};
  const Json again = is_searched        ? range_record(job, one.regimes.front())
                     : one.gaps.empty() ? left_out_record(job, interval)
                                        : gap_record(job, interval);
  const auto says = [&](const std::string& key) { // a number, where the file is of schema 1
    return key == "arguments" ? to_json(to_integer(record[key])) : record[key];
  };
  for (const auto& [key, value] : again.items())
    if (!record.contains(key) || says(key) != value)
      search.mistakes.push_back({line, fmt::format("its `{}` should be {}", key, value.dump())});
  search.in_ranges.add(ranks);
  if (is_searched)
    search.regimes.push_back({line, one.regimes.front()});
  else
    search.left_out.push_back({line, interval});
}

bool add_covered(RecordedSearch& search, const job::Coverage& covered) {
  const job::Coverage all = search.job().range();
  const job::Coverage inside = covered.intersection(all);
  const job::Coverage left_out = inside.complement_in(all);
  for (const auto& [first, last] : left_out.intervals())
    search.left_out.push_back({0, {first, last}});
  search.in_ranges.add(left_out);
  search.summary->arguments = covered.size();
  search.summary->partial = !left_out.empty();
  return inside.size() == covered.size();
}

void resolve_request(RecordedSearch& search, const std::optional<Json>& request) {
  resolve(search, [&] { return asked_for(request, search.command); });
}

std::vector<Program> RecordedSearch::programs() const {
  std::vector<Program> all{program};
  all.insert(all.end(), other_programs.begin(), other_programs.end());
  return all;
}

uint128 RecordedSearch::arguments_left_out() const {
  uint128 sum = 0;
  for (const LeftOutEntry& one : left_out)
    sum += one.size();
  return sum;
}

RecordedSearch read_search(const ResultText& text, const EntrySink& use) {
  switch (text.kind) {
  case FileKind::records:
  case FileKind::json: // whose first line is named
    return read_records(text, use);
  case FileKind::publication:
    return read_publication(text, use);
  case FileKind::journal:
    return read_journal_search(text, use);
  case FileKind::empty:
    throw no_result(text.name, "it is empty");
  case FileKind::pair_records:
  case FileKind::pair_journal:
    throw no_result(text.name, fmt::format("it is {}", description(text.kind)));
  case FileKind::list:
  case FileKind::other:
    break;
  }
  return read_list(text, use);
}

RecordedSearch read_complete_search(const ResultText& text, const EntrySink& use) {
  std::string why;
  try {
    RecordedSearch search = read_search(text, use);
    if (search.mistakes.empty() && search.kind == FileKind::records)
      return search;
    why = search.mistakes.empty() ? description(search.kind) : search.mistakes.front().sentence;
  } catch (const UsageError& error) {
    why = error.what();
  }
  throw DeviceError(fmt::format("its records are not complete: {}", why));
}

std::vector<FoundEntry> entries_of(const Findings& found) {
  std::vector<FoundEntry> entries;
  for (const auto* list : {&found.cases, &found.exact, &found.undecided})
    for (const Case& one : *list)
      entries.push_back(entry_of(0, one, four_decimals(one.bits)));
  return entries;
}

RecordedSearch recorded(const JournalContents& journal) {
  RecordedSearch search;
  search.kind = FileKind::journal;
  const std::vector<Program> programs = journal.programs();
  search.program = programs.front();
  search.other_programs.assign(programs.begin() + 1, programs.end());
  search.command = journal.header.command;
  resolve(search, [&] { return journal.header.request; });
  search.owned = journal.owned;
  search.said = journal.job().identity();
  search.symmetry = journal.header.symmetry;
  search.scaling = scaling_record(journal.job());
  search.shard = journal.header.shard;
  for (const JournalDevice& one : journal.devices)
    search.devices.push_back(one.name);
  const SearchResult& result = journal.result;
  if (engine::stage(result.stages, engine::wide::wide_stages[1].name).tested > 0)
    search.methods.insert(std::string(engine::wide::wide_methods[0]));
  search.found = entries_of(result);
  for (const FoundEntry& one : search.found)
    search.entries.add(one);
  for (const job::RegimeRange& one : result.regimes) {
    search.regimes.push_back({0, one});
    search.in_ranges.add(one.ranks.first, one.ranks.last);
  }
  for (const auto& [first, last] : result.covered.complement_in(journal.job().range()).intervals()) {
    search.left_out.push_back({0, {first, last}});
    search.in_ranges.add(first, last);
  }
  Summary summary;
  summary.arguments = result.arguments();
  summary.cases = result.cases.size();
  summary.exact = result.exact.size();
  summary.exact_listed = summary.exact - result.exact.unlisted();
  summary.partial = !search.left_out.empty();
  summary.seconds = result.seconds;
  search.has_all_exact = result.exact.unlisted() == 0;
  search.summary = summary;
  return search;
}

void complete(SearchResult& result, const RecordedSearch& search) {
  if (search.summary && !search.has_all_exact)
    result.exact.add_unlisted(static_cast<std::size_t>(search.summary->exact -
                                                       std::min<uint128>(search.summary->exact, search.entries.exact)));
  for (const RegimeEntry& one : search.regimes)
    result.regimes.push_back(one.range);
  for (const LeftOutEntry& one : search.left_out)
    result.left_out.add(one.ranks.first, one.ranks.last);
  result.covered = result.left_out.complement_in(search.job().range());
  FieldReport& fields = result.fields.emplace_back();
  for (const std::string& method : search.methods)
    fields.methods[method] = 1;
  result.sort();
}

SearchResult to_search_result(const RecordedSearch& search) {
  SearchResult result;
  for (const FoundEntry& one : search.found)
    result.add(case_of(one));
  complete(result, search);
  return result;
}

} // namespace tmd::result
