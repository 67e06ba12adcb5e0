// The journal has a line of JSON for the header, each device, each run, each unit of lines searched, and each device
// that was found to be faulty; all are numbered and have checksums (result/journal_lines.hpp). The line of a unit has
// the numbers of its pairs by kind, and only the operands of its cases: confirm_cases() decides them again before a
// search is resumed.
#include "pairs/power_journal.hpp"

#include "number/in_parallel.hpp"
#include "pairs/ranges.hpp"
#include "request/spec_json.hpp"
#include "result/journal_lines.hpp"
#include "result/reader.hpp"
#include "result/records.hpp"
#include "support/stopwatch.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace tmd::pairs {

namespace {

// Keys for the numbers of pairs, by TileKind. The cases of searched pairs and of those next to 1 have keys of their
// own.
constexpr std::array<const char*, engine::boxes::tile_kinds> pairs_keys{"empty",      "one",  "itself",
                                                                        "beside_one", "full", "searched"};

result::Json header_record(const PowerJournalHeader& header) {
  const PairJob& job = header.job;
  result::Json record = result::first_record("pair_journal", header.program,
                                             {{"command", header.command},
                                              {"request", request::to_json(header.request)},
                                              {"function", job.function->name},
                                              {"format", job.format.name},
                                              {"rounding", to_string(job.rounding)},
                                              {"bits", job.K},
                                              {"lines", result::Json::array()},
                                              {"outputs", result::Json::object()}});
  for (const auto& [first, last] : header.wanted.intervals())
    record["lines"] = {static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(last)};
  for (const auto& [option, file] : header.outputs)
    record["outputs"][option] = file.string();
  if (job.ranges)
    record["ranges"] = *job.ranges;
  return record;
}

PowerJournalHeader read_header(const result::Json& record) {
  if (record.at("type") != "pair_journal")
    throw UsageError("it is not the beginning of a journal of pairs");
  result::require_schema(record);
  PowerJournalHeader header;
  header.program = result::read_program(record);
  header.request = request::spec_of_json(record.at("request"));
  header.command = record.at("command");
  header.job = job_of_record(record, find_format(record.at("format").get<std::string>()), header.request.rounding);
  header.job.K = result::to_int(record.at("bits"));
  if (to_string(header.job.rounding) != record.at("rounding").get<std::string>() ||
      header.request.format != header.job.format.name)
    throw UsageError("it contradicts itself: its request is not of its format and rounding");
  check_boxes_serve(header.job);
  for (const auto& [option, file] : record.at("outputs").items())
    header.outputs[option] = file.get<std::string>();
  return header;
}

PowerWork work_of(const result::Json& record, const PairJob& job) {
  PowerWork work{PairFindings(job)};
  for (std::size_t kind = 0; kind < engine::boxes::tile_kinds; ++kind)
    work.pairs.at(kind) = result::to_integer(record.at(pairs_keys.at(kind)));
  work.found.add_exact(result::to_integer(record.at("exact")));
  work.found.add_to_family(result::to_integer(record.at("family")));
  work.found.add_candidates(result::to_count(record.at("candidates")));
  work.planted = result::to_count(record.at("planted"));
  work.seconds = result::to_amount(record.at("seconds"));
  if (const auto stages = record.find("stages"); stages != record.end())
    for (std::size_t i = 0; i < engine::boxes::box_stages.size(); ++i) {
      const result::Json& numbers = stages->at(i);
      engine::Stage stage = engine::boxes::box_stages.at(i);
      stage.tested = result::to_count(numbers.at(0));
      stage.kept = result::to_count(numbers.at(1));
      stage.seconds = result::to_amount(numbers.at(2));
      work.stages.push_back(stage);
    }
  return work;
}

// Reads the records of a journal one after the other.
class Reader {
public:
  void read(const support::TextSource& text, std::string_view name) {
    std::size_t lines = 0; // others may be appended meanwhile
    (void)result::each_whole_line(text, name, [&](std::string_view line, std::size_t number) {
      lines = number + 1;
      if (result::is_record_of("revoked", line))
        revoked_[result::to_count(record_of(line, number).at("device"))] = number;
    });
    contents_.was_torn = result::each_whole_line(text, name, [&](std::string_view line, std::size_t number) {
      if (number >= lines)
        return;
      const result::Json record = record_of(line, number);
      if (number == 0)
        begin(record);
      else
        read(record, number);
      ++contents_.records;
    });
    if (contents_.records == 0)
      throw UsageError(fmt::format("the journal '{}' is empty", name));
  }
  PowerJournalContents finish() { return std::move(contents_); }

private:
  static result::Json record_of(std::string_view line, std::size_t number) {
    result::require_undamaged(line);
    result::Json record = result::Json::parse(line);
    result::require_number(record, number);
    return record;
  }

  void begin(const result::Json& record) {
    contents_.header = read_header(record);
    contents_.work = PowerWork{PairFindings(contents_.header.job)};
    lines_.emplace(contents_.header.job);
    const result::Json& lines = record.at("lines");
    const std::uint64_t first = result::to_count(lines.at(0));
    const std::uint64_t last = result::to_count(lines.at(1));
    if (first >= last || last > lines_->size())
      throw UsageError("its range of lines is empty or outside the job's");
    contents_.header.wanted = job::Coverage(int128(first), int128(last));
  }

  void read(const result::Json& record, std::size_t line) {
    const std::string type = record.at("type");
    if (type == "run") {
      contents_.runs.push_back({record.at("begun"), 0, 0, result::read_program(record)});
    } else if (type == "device") {
      result::read_device(record, contents_.devices);
    } else if (contents_.runs.empty()) {
      throw UsageError("no `run` record precedes it");
    } else if (type == "revoked") {
      contents_.devices[result::device_number(record, contents_.devices)].revoked = true;
    } else if (type == "part") {
      read_part(record, line);
    } else {
      throw UsageError("it is a record of an unknown type");
    }
  }

  void read_part(const result::Json& record, std::size_t line) {
    PowerJournalContents::Run& run = contents_.runs.back();
    run.seconds = result::to_amount(record.at("at"));
    const std::size_t number = result::device_number(record, contents_.devices);
    result::JournalDevice& device = contents_.devices[number];
    const auto revoked = revoked_.find(number);
    if (revoked != revoked_.end() && line < revoked->second)
      return;
    RecordedPart recorded = pairs::read_part(record, contents_.header.job, *lines_);
    const job::Coverage part(int128(recorded.part.first), int128(recorded.part.last));
    if (!(part.intersection(contents_.header.wanted) == part))
      throw UsageError("its range of lines is empty or outside the search's");
    contents_.done.add(part);
    PowerWork& work = recorded.part.work;
    run.cost += recorded.part.cost;
    device.arguments += lines_->pairs(part);
    device.seconds += work.seconds;
    device.cases += recorded.cases.size();
    std::move(recorded.cases.begin(), recorded.cases.end(), std::back_inserter(contents_.cases));
    std::move(recorded.undecided.begin(), recorded.undecided.end(), std::back_inserter(contents_.undecided));
    contents_.work.add(std::move(work));
  }

  std::map<std::size_t, std::size_t> revoked_; // by device, the last line that revokes it
  std::optional<PowerLines> lines_;
  PowerJournalContents contents_{{}, {}, {}, {}, PowerWork{PairFindings(PairJob{})}, {}, {}};
};

} // namespace

result::Json part_record(const PowerPart& part, std::size_t device) {
  const PowerWork& work = part.work;
  result::Json record = result::plain_record("part", {{"first", part.first}, {"last", part.last}, {"device", device}});
  for (std::size_t kind = 0; kind < engine::boxes::tile_kinds; ++kind)
    record[pairs_keys.at(kind)] = result::to_json(work.pairs.at(kind));
  record["exact"] = result::to_json(work.found.exact());
  record["family"] = result::to_json(work.found.family());
  record["candidates"] = work.found.candidates();
  record["planted"] = work.planted;
  record["boxes"] = part.cost;
  record["seconds"] = work.seconds;
  for (const engine::Stage& stage : work.stages)
    record["stages"].push_back({stage.tested, stage.kept, stage.seconds});
  record["found"] = result::Json::array();
  for (const PairCase& one : work.found.cases())
    record["found"].push_back(to_text(work.found.function(), one.operands));
  for (const Operands& one : work.found.undecided())
    record["undecided"].push_back(to_text(work.found.function(), one));
  return record;
}

RecordedPart read_part(const result::Json& record, const PairJob& job, const PowerLines& lines) {
  RecordedPart result{{result::to_count(record.at("first")), result::to_count(record.at("last")), 0,
                       result::to_amount(record.at("boxes")), work_of(record, job)},
                      {},
                      {}};
  const auto& [first, last] = std::pair(result.part.first, result.part.last);
  if (first >= last || last > lines.size())
    throw UsageError("its range of lines is empty or outside the search's");
  uint128 pairs = 0;
  for (const uint128 some : result.part.work.pairs)
    pairs += some;
  if (pairs != lines.pairs(first, last))
    throw SoundnessError("it does not account for all pairs of its lines");
  const format::ArgumentSet numbers(job.format, job.format.precision);
  const std::vector<engine::boxes::PowerRectangle> rectangles = lines.rectangles(first, last);
  const auto read = [&](const std::string& text) {
    const std::size_t comma = text.find(',');
    if (comma == std::string::npos)
      throw UsageError(fmt::format("'{}' is not a pair", text));
    const Operands operands{read_operand(*job.function, 0, text.substr(0, comma), numbers, "x"),
                            read_operand(*job.function, 1, text.substr(comma + 1), numbers, "x")};
    if (std::none_of(rectangles.begin(), rectangles.end(),
                     [&](const engine::boxes::PowerRectangle& r) { return has_pair(r, operands); }))
      throw UsageError("a case is outside its part");
    return operands;
  };
  for (const result::Json& one : record.at("found"))
    result.cases.push_back(read(one));
  if (const auto undecided = record.find("undecided"); undecided != record.end())
    for (const result::Json& one : *undecided)
      result.undecided.push_back(read(one));
  return result;
}

std::vector<result::Program> PowerJournalContents::programs() const {
  std::vector<result::Program> programs{header.program};
  for (const Run& run : runs)
    if (run.cost > 0)
      result::add_program(programs, run.program);
  return programs;
}

PowerJournalContents parse_power_journal(const support::TextSource& text, std::string_view name) {
  Reader reader;
  reader.read(text, name);
  return reader.finish();
}

void confirm_cases(PowerJournalContents& contents, std::string_view name, unsigned threads) {
  std::vector<PairCase> cases(contents.cases.size());
  const auto confirm = [&](const Operands& operands, Case::Kind kind) {
    const std::optional<Case> found = confirm_pair(contents.header.job, operands);
    if (!found || found->kind != kind)
      throw SoundnessError(fmt::format("the journal '{}' is wrong: {} is {}; remove it and start the search again",
                                       name, to_text(*contents.header.job.function, operands),
                                       kind == Case::Kind::hard ? "no case" : "decided"));
    return *found;
  };
  number::in_parallel(cases.size(), threads, [&](std::uint64_t i, unsigned /*thread*/) {
    cases[i] = {contents.cases[i], confirm(contents.cases[i], Case::Kind::hard), 1};
  });
  number::in_parallel(contents.undecided.size(), threads, [&](std::uint64_t i, unsigned /*thread*/) {
    (void)confirm(contents.undecided[i], Case::Kind::undecided);
  });
  std::sort(cases.begin(), cases.end(),
            [](const PairCase& left, const PairCase& right) { return is_harder(left, right); });
  for (std::size_t i = 1; i < cases.size(); ++i)
    if (cases[i].operands == cases[i - 1].operands)
      throw SoundnessError(fmt::format("the journal '{}' is wrong: {} is in it twice; remove it and start the search "
                                       "again",
                                       name, to_text(*contents.header.job.function, cases[i].operands)));
  contents.work.found.add_cases(std::move(cases));
  contents.work.found.add_undecided(std::move(contents.undecided));
  contents.cases.clear();
  contents.undecided.clear();
}

PowerJournalContents merged(std::vector<PowerJournalContents> parts) {
  PowerJournalContents sum = std::move(parts.front());
  for (auto part = parts.begin() + 1; part != parts.end(); ++part) {
    const PairJob& job = part->header.job;
    if (describe(job) != describe(sum.header.job))
      throw UsageError(
          fmt::format("the journals are not of the same search: {}; and {}", describe(sum.header.job), describe(job)));
    sum.done.add(part->done);
    sum.work.add(std::move(part->work));
    std::move(part->cases.begin(), part->cases.end(), std::back_inserter(sum.cases));
    std::move(part->undecided.begin(), part->undecided.end(), std::back_inserter(sum.undecided));
    std::move(part->runs.begin(), part->runs.end(), std::back_inserter(sum.runs));
  }
  sum.header.request.shard.reset();
  return sum;
}

PowerJournal::PowerJournal(const std::filesystem::path& file) : lines_(file, "another search is writing it") {}

std::optional<PowerJournalContents> PowerJournal::contents() {
  if (lines_.empty())
    return std::nullopt;
  PowerJournalContents contents = parse_power_journal(lines_.text(), lines_.file().string());
  contents.was_torn = lines_.was_torn();
  records_ = contents.records;
  devices_ = contents.devices;
  return contents;
}

void PowerJournal::begin(const PowerJournalHeader& header) {
  lines_.clear();
  records_ = 0;
  devices_.clear();
  append(result::open_record(header_record(header)));
}

void PowerJournal::begin_run(const result::Program& program, const std::vector<opencl::DeviceDescription>& devices) {
  start_ = std::chrono::steady_clock::now();
  numbers_ = result::number_devices(devices, devices_,
                                    [this](const result::Json& record) { append(result::open_record(record)); });
  result::Json record = result::plain_record("run", {{"begun", result::now_in_utc()}});
  result::write_program(record, program);
  append(result::open_record(record));
}

void PowerJournal::searched(const PowerPart& part) {
  append_at(result::open_record(part_record(part, numbers_.at(part.device))));
}

void PowerJournal::revoked(std::size_t device) {
  append_at(result::open_record(result::plain_record("revoked", {{"device", numbers_.at(device)}})));
}

void PowerJournal::append_at(std::string record) {
  record += fmt::format(R"(,"at":{:.6f})", support::seconds_since(start_));
  append(std::move(record));
  if (support::seconds_since(synced_) > 1) {
    lines_.sync();
    synced_ = std::chrono::steady_clock::now();
  }
}

void PowerJournal::append(std::string record) {
  result::close_record(record, records_);
  lines_.append(record);
  ++records_;
}

} // namespace tmd::pairs
