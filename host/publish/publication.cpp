#include "publish/publication.hpp"

#include "function/formula.hpp"
#include "job/scaling.hpp"
#include "result/schema.hpp"
#include "result/wc.hpp"
#include "support/compressed_file.hpp"
#include "support/text.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tmd {

namespace {

constexpr std::size_t most_named_of_block = 1000; // of a block's exact cases, and of its undecided arguments
constexpr std::string_view listed_mark = "# Listed from K = ";

Coverage ranks_of_regimes(const std::vector<RegimeRange>& regimes) {
  Coverage ranks;
  for (const RegimeRange& one : regimes)
    ranks.add(one.ranks.first, one.ranks.last);
  return ranks;
}

bool is_before(const Case& left, const Case& right) { return compare(left.x, right.x) < 0; }

// What a result says of its cases of a kind, by argument: all of them, or the first.
std::vector<Case> cases_of(const ResultFile& result, Case::Kind kind,
                           std::size_t most = std::numeric_limits<std::size_t>::max()) {
  std::vector<Case> cases;
  const auto keep_first = [&] {
    std::sort(cases.begin(), cases.end(), is_before);
    cases.resize(std::min(cases.size(), most));
  };
  for (const FoundEntry& one : result.found)
    if (one.kind == kind) {
      cases.push_back({one.x, one.bits.value_or(std::numeric_limits<double>::infinity()),
                       one.breakpoint.value_or(Breakpoint::representable), kind});
      if (cases.size() / 2 >= most)
        keep_first();
    }
  keep_first();
  return cases;
}

void name_first(PublishedBlock& block, const ResultFile& result, Case::Kind kind) {
  const std::vector<Case> cases = cases_of(result, kind, most_named_of_block);
  block.named.insert(block.named.end(), cases.begin(), cases.end());
}

PublishedBlock block_of(const ResultFile& result, const std::vector<Case>& hard) {
  const Job& job = result.job();
  PublishedBlock block;
  block.range = {job.first, job.last};
  block.program = result.program;
  block.other_programs = result.other_programs;
  block.devices = fmt::format("{}", fmt::join(result.devices, ", "));
  if (result.stated)
    block.seconds = result.stated->seconds;
  Coverage left_out;
  for (const LeftOutEntry& one : result.left_out)
    left_out.add(one.ranks.first, one.ranks.last);
  block.covered = left_out.complement_in(job.range());
  for (const FoundEntry& one : result.found) // the hardest first, by more bits than the records have
    if (one.kind == Case::Kind::hard)
      note_hardest(block.hardest, {one.x, one.bits.value_or(0), *one.breakpoint});
  block.exact = result.count(Case::Kind::exact);
  block.undecided = result.count(Case::Kind::undecided);
  name_first(block, result, Case::Kind::exact);
  name_first(block, result, Case::Kind::undecided);
  for (const RegimeEntry& one : result.regimes)
    block.regimes.push_back(one.range);
  const Coverage searched = ranks_of_regimes(block.regimes).complement_in(block.covered);
  const EachArgument exact = [&](const auto& use) {
    for (const FoundEntry& one : result.found)
      if (one.kind == Case::Kind::exact)
        use(one.x);
  };
  block.binades = tally_binades(job, searched, hard, exact, true);
  return block;
}

// All arguments of a function in a format: of odd and even ones x ≥ 0, and of those with a scaling what decides the
// rest, unless something is known of others.
void set_range(Publication& published) {
  Job& job = published.owned.job;
  const RankInterval domain = ranks_in_domain(job.function->domain, job.arguments());
  const bool is_half = job.function->symmetry != Symmetry::none &&
                       std::all_of(published.blocks.begin(), published.blocks.end(),
                                   [](const PublishedBlock& one) { return one.range.first >= 0; });
  published.symmetry = is_half ? job.function->symmetry : Symmetry::none;
  job.first = is_half ? std::max<ArgumentSet::Rank>(domain.first, 0) : domain.first;
  job.last = domain.last;
  const Coverage decisive = decisive_ranks(job);
  job.by_scaling = false;
  if (!decisive.empty() && (is_half || job.function->symmetry == Symmetry::none) &&
      std::all_of(published.blocks.begin(), published.blocks.end(),
                  [&](const PublishedBlock& one) { return one.covered.intersection(decisive) == one.covered; }))
    search_only(job, decisive);
}

// Takes the blocks away that a result replaces.
void replace_blocks(Publication& published, const PublishedBlock& fresh) {
  const ArgumentSet arguments = published.job().arguments();
  const auto is_replaced = [&](const PublishedBlock& block) {
    const Coverage both = block.covered.intersection(fresh.covered);
    if (both.empty() || both == block.covered)
      return !both.empty();
    throw UsageError(fmt::format("what is published of [{}, {}) has arguments that it has not, and others that it has, "
                                 "such as {}: publish a search of all of them, or of others",
                                 to_hex(arguments.at(block.range.first)), to_hex(arguments.at(block.range.last)),
                                 to_hex(arguments.at(both.intervals().front().first))));
  };
  std::erase_if(published.blocks, is_replaced);
}

// Lists the hard cases, which are by argument, from the least K on with which they fit.
void list_what_fits(Publication& published, const std::vector<Case>& hard, int least, std::size_t most_bytes) {
  std::set<int, std::greater<>> steps; // a list is longer from one to the next
  for (const Case& one : hard)
    steps.insert(std::max(static_cast<int>(one.bits), least));
  steps.insert(least);
  const auto list_from = [&](int bits) {
    published.listed_from = bits;
    published.listed.clear();
    std::copy_if(hard.begin(), hard.end(), std::back_inserter(published.listed),
                 [&](const Case& one) { return one.bits >= bits; });
  };
  list_from(*steps.begin() + 1);
  for (const int step : steps) {
    list_from(step);
    if (pack(list_text(published), Packing::xz).size() > most_bytes) {
      list_from(step + 1);
      return;
    }
  }
}

Json block_record(const Job& job, const PublishedBlock& block) {
  const ArgumentSet arguments = job.arguments();
  Json record{{"type", "block"},
              {"from", to_hex(arguments.at(block.range.first))},
              {"to", to_hex(arguments.at(block.range.last))}};
  write_program(record, block.program);
  write_other_programs(record, block.other_programs);
  record["devices"] = block.devices;
  record["seconds"] = block.seconds ? Json(*block.seconds) : Json(nullptr);
  record["cases"] = block.cases();
  record["exact"] = block.exact;
  record["undecided"] = block.undecided;
  record["hardest"] = Json::array();
  for (const auto& [breakpoint, one] : block.hardest)
    record["hardest"].push_back(case_record(one, one.bits));
  return record;
}

Json binade_record(const BinadeTally& tally) {
  return {{"type", "binade"},
          {"first", to_hex(tally.arguments.argument(0))},
          {"last", to_hex(tally.arguments.argument(tally.arguments.count - 1))},
          {"cases", tally.cases},
          {"midpoints", tally.midpoints},
          {"exact", tally.exact},
          {"fair", tally.is_fair}};
}

class Reader {
public:
  explicit Reader(std::string_view name) : name_(name) {}

  Publication read(std::string_view text) {
    std::size_t number = 0;
    try {
      while (!text.empty()) {
        ++number;
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        read_record(Json::parse(line));
      }
    } catch (const Json::exception&) {
      refuse(number, "a record is damaged");
    } catch (const Error& error) {
      refuse(number, error.what());
    }
    if (number == 0)
      refuse(1, "it is empty");
    return std::move(published_);
  }

private:
  [[noreturn]] void refuse(std::size_t line, std::string_view why) const {
    throw UsageError(fmt::format("'{}', line {}: {}", name_, line, why));
  }

  void read_record(const Json& record) {
    const std::string type = record.at("type");
    if (!begun_) {
      if (type != "publication")
        throw UsageError("it does not begin with a `publication` record");
      if (const int schema = record.at("schema"); schema != record_schema)
        throw UsageError(fmt::format("its records have schema {}, not {}", schema, record_schema));
      published_.owned = read_job(record);
      published_.symmetry = read_symmetry(record.at("symmetry"));
      published_.listed_from = record.at("listed_from");
      begun_ = true;
      return;
    }
    if (type == "block")
      begin_block(record);
    else if (published_.blocks.empty())
      throw UsageError("it stands before the first block");
    else
      add(published_.blocks.back(), record, type);
  }

  [[nodiscard]] RankInterval ranks(const Json& record, const char* first, const char* last) const {
    const ArgumentSet arguments = published_.job().arguments();
    return {arguments.parse(record.at(first).get<std::string>(), first),
            arguments.parse(record.at(last).get<std::string>(), last)};
  }

  void begin_block(const Json& record) {
    PublishedBlock& block = published_.blocks.emplace_back();
    block.range = ranks(record, "from", "to");
    block.program = read_program(record);
    block.other_programs = read_other_programs(record);
    block.devices = record.at("devices");
    if (!record.at("seconds").is_null())
      block.seconds = record["seconds"].get<double>();
    block.exact = record.at("exact");
    block.undecided = record.at("undecided");
    for (const Json& one : record.at("hardest"))
      note_hardest(block.hardest, read_case(published_.job(), one));
  }

  void add(PublishedBlock& block, const Json& record, const std::string& type) const {
    if (type == "searched") {
      const RankInterval of = ranks(record, "first", "last");
      block.covered.add(of.first, of.last + 1);
    } else if (type == "binade") {
      const RankInterval of = ranks(record, "first", "last");
      const auto [first, last] = std::minmax(of.first, of.last); // of negative ones the first is the greatest
      BinadeTally& tally = block.binades.emplace_back();
      tally.arguments = stretches(published_.job().arguments(), first, last + 1).front();
      tally.cases = record.at("cases");
      tally.midpoints = record.at("midpoints");
      tally.exact = record.at("exact");
      tally.is_fair = record.at("fair");
    } else if (type == "exact" || type == "undecided") {
      block.named.push_back(read_case(published_.job(), record));
    } else if (type == "range") {
      SearchResult one;
      read_range(one, published_.job(), record);
      block.regimes.insert(block.regimes.end(), one.regimes.begin(), one.regimes.end());
    } else {
      throw UsageError(fmt::format("there is no record '{}'", type));
    }
  }

  std::string_view name_;
  bool begun_ = false;
  Publication published_;
};

} // namespace

void note_hardest(Hardest& hardest, const Case& one) {
  const auto [known, is_first] = hardest.try_emplace(one.breakpoint, one);
  if (!is_first && one.bits > known->second.bits)
    known->second = one;
}

std::uint64_t PublishedBlock::cases() const {
  std::uint64_t sum = 0;
  for (const BinadeTally& one : binades)
    sum += one.cases;
  return sum;
}

Hardest Publication::hardest() const {
  Hardest result;
  for (const PublishedBlock& block : blocks)
    for (const auto& [breakpoint, one] : block.hardest)
      note_hardest(result, one);
  return result;
}

Coverage Publication::covered() const {
  Coverage all;
  for (const PublishedBlock& one : blocks)
    all.add(one.covered);
  return all;
}

std::uint64_t Publication::cases() const {
  std::uint64_t sum = 0;
  for (const PublishedBlock& one : blocks)
    sum += one.cases();
  return sum;
}

std::string publication_name(const Job& job) {
  std::string name = job.function->name;
  if (is_function_name(name))
    std::erase(name, ':'); // rootn3
  else
    name = file_name_of(name);
  if (job.argument_precision != job.format.precision)
    name += fmt::format("-q{}", job.argument_precision);
  if (job.rounding != Rounding::all)
    name += fmt::format("-{}", to_string(job.rounding));
  if (job.values != Values::format)
    name += fmt::format("-{}", to_string(job.values));
  return name;
}

void add_to(std::optional<Publication>& published, const ResultFile& result, std::size_t most_bytes) {
  std::vector<Case> hard = cases_of(result, Case::Kind::hard);
  PublishedBlock fresh = block_of(result, hard);
  if (fresh.covered.empty())
    throw UsageError("it covers no argument");
  if (!published)
    published = Publication{result.owned, {}, {}, result.job().bits, {}};
  const auto kind_of = [](const Job& job) { return without_range(job).identity(); };
  if (kind_of(published->job()) != kind_of(result.job()))
    throw UsageError(fmt::format("its job is {}, and what is published under that name is of {}",
                                 result.job().identity(), published->job().identity()));
  replace_blocks(*published, fresh);
  const int least = published->blocks.empty() ? result.job().bits : published->listed_from;
  const ArgumentSet arguments = result.job().arguments();
  const Coverage kept = published->covered();
  for (const Case& one : published->listed)
    if (kept.contains(arguments.rank(one.x)))
      hard.push_back(one);
  std::sort(hard.begin(), hard.end(), is_before);
  published->blocks.push_back(std::move(fresh));
  std::sort(published->blocks.begin(), published->blocks.end(),
            [](const PublishedBlock& left, const PublishedBlock& right) {
              return left.covered.intervals().front().first < right.covered.intervals().front().first;
            });
  set_range(*published);
  list_what_fits(*published, hard, least, most_bytes);
}

std::string list_text(const Publication& published) {
  const Job& job = published.job();
  const ArgumentSet arguments = job.arguments();
  std::string text = fmt::format("# Hard-to-round cases of {}, {} with arguments of {} bits, breakpoints: {}{}{}.\n"
                                 "{}{}: {} of the {} that were found from K = {} on.\n",
                                 job.function->name, job.format.name, job.argument_precision, to_string(job.rounding),
                                 job.values == Values::format ? ", values as the format has them" : "",
                                 describe_reduction(job, published.symmetry), listed_mark, published.listed_from,
                                 published.listed.size(), published.cases(), job.bits);
  for (const auto& [first, last] : published.covered().intervals())
    text +=
        fmt::format("# [{}, {}]: every argument closer than 2^-{} spacings to a breakpoint is listed, or in a range "
                    "below\n",
                    to_hex(arguments.at(first)), to_hex(arguments.at(last - 1)), published.listed_from);
  for (const PublishedBlock& block : published.blocks)
    for (const RegimeRange& range : block.regimes)
      text += fmt::format("# Range {}\n", describe(job, range));
  for (const Case& one : published.listed)
    text += to_hex(one.x) + "\n";
  return text;
}

std::string publication_records(const Publication& published) {
  const Job& job = published.job();
  Json head{{"type", "publication"}, {"schema", record_schema}};
  write_job(head, job);
  head["symmetry"] = to_json(published.symmetry);
  head["listed_from"] = published.listed_from;
  std::string text = head.dump() + "\n";
  const auto add = [&](const Json& record) { text += record.dump() + "\n"; };
  for (const PublishedBlock& block : published.blocks) {
    add(block_record(job, block));
    for (const auto& [first, last] : block.covered.intervals())
      add({{"type", "searched"},
           {"first", to_hex(job.arguments().at(first))},
           {"last", to_hex(job.arguments().at(last - 1))}});
    for (const BinadeTally& one : block.binades)
      add(binade_record(one));
    for (const Case& one : block.named)
      add(case_record(one, one.bits));
    for (const RegimeRange& one : block.regimes)
      add(range_record(job, one));
  }
  return text;
}

Publication read_publication(std::string_view records, std::string_view name) { return Reader(name).read(records); }

void read_list(Publication& published, std::string_view list, std::string_view name) {
  const Job& job = published.job();
  const Confirmation confirmation(*job.function, job.grid(), job.bits);
  const ArgumentSet arguments = job.arguments();
  published.listed.clear();
  while (!list.empty()) {
    const std::string_view line = list.substr(0, list.find('\n'));
    list.remove_prefix(std::min(line.size() + 1, list.size()));
    if (line.empty() || line.front() == '#')
      continue;
    const auto found = confirmation.confirm(arguments.at(arguments.parse(line, name)));
    if (!found || found->kind != Case::Kind::hard)
      throw UsageError(fmt::format("'{}': {} is no hard-to-round case of {}", name, line, job.function->name));
    published.listed.push_back(*found);
    published.listed.back().bits = four_decimals(found->bits);
  }
}

} // namespace tmd
