// Several threads write a journal, under a mutex; another thread brings it to the disk every second. It is read twice:
// first for the devices that turned out to be faulty, whose parts do not count, then for everything else.
#include "result/journal.hpp"

#include "engine/registry.hpp"
#include "request/command.hpp"
#include "request/spec_json.hpp"
#include "result/journal_lines.hpp"
#include "result/reader.hpp"
#include "result/record.hpp"
#include "support/descriptor.hpp"
#include "support/stopwatch.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

namespace tmd::result {

namespace {

constexpr uint128 most_extent = uint128(1) << 126; // limit for coordinates, given by the type for sets of integers

// Parses a record except the elements of its `found`, which go to use() one by one: kept as records, the cases of a
// part may take ten times the memory of its line.
template <typename Use> Json parse_without_found(std::string_view line, const Use& use) {
  bool is_found = false;
  return Json::parse(line, [&](int depth, Json::parse_event_t event, const Json& parsed) {
    if (depth == 1 && event == Json::parse_event_t::key)
      is_found = parsed == "found";
    if (!is_found || depth != 2 || event != Json::parse_event_t::object_end)
      return true;
    use(parsed);
    return false;
  });
}

// Parses a line in that way. Throws UsageError with the end of a sentence.
template <typename Use> Json record_of(std::string_view line, std::size_t number, const Use& use) {
  require_undamaged(line);
  Json record = parse_without_found(line, use);
  require_number(record, number);
  return record;
}

job::RankInterval ranks_of(const job::Job& job, const Json& record) {
  const format::ArgumentSet arguments = job.arguments();
  const job::RankInterval ranks{arguments.parse(record.at("first").get<std::string>(), "first"),
                                arguments.parse(record.at("last").get<std::string>(), "last")};
  if (ranks.first >= ranks.last || ranks.first < job.first || ranks.last > job.last)
    throw UsageError("its range is empty or outside the job's");
  return ranks;
}

Json claim_record(const job::Job& job, std::size_t number, const ClaimIdentity& claim) {
  const format::ArgumentSet arguments = job.arguments();
  return plain_record("claim", {{"claim", number},
                                {"engine", claim.engine},
                                {"first", to_hex(arguments.at(claim.ranks.first))},
                                {"last", to_hex(arguments.at(claim.ranks.last))},
                                {"extent", to_json(claim.extent)},
                                {"coordinate", claim.coordinate}});
}

JournalHeader read_header(const Json& record) {
  JournalHeader header;
  header.program = read_program(record);
  header.command = record.at("command");
  header.symmetry = read_symmetry(record.at("symmetry"));
  if (record.contains("request"))
    header.request = request::spec_of_json(record["request"]);
  else // a journal of 0.1.0
    header.request = request::spec_of_words(record.at("arguments").get<std::vector<std::string>>());
  const Json& outputs = record.at("outputs");
  if (!outputs.is_object())
    throw UsageError("its outputs are not a record");
  for (const auto& [option, file] : outputs.items()) {
    if (option != "wc" && option != "json")
      throw UsageError(fmt::format("'{}' is no option that names an output", option));
    header.outputs[option] = file.get<std::string>();
  }
  return header;
}

Json header_record(const JournalHeader& header, const job::Job& job) {
  Json record = first_record("journal", header.program);
  record["command"] = header.command;
  record["request"] = request::to_json(header.request);
  write_job(record, job);
  record["symmetry"] = to_json(header.symmetry);
  if (header.shard)
    record["shard"] = shard_record(job, *header.shard);
  record["outputs"] = Json::object();
  for (const auto& [option, file] : header.outputs)
    record["outputs"][option] = file.string();
  return record;
}

// Reads the records of a journal one after the other.
class Reader {
public:
  Reader(std::string_view name, const CaseSink& use) : name_(name), use_(use) {}

  void read(const support::TextSource& text) {
    // Finds the faulty devices: nothing counts that such a device did before.
    std::size_t lines = 0;
    each_whole_line(text, name_, [&](std::string_view line, std::size_t number) {
      lines = number + 1;
      if (is_record_of("revoked", line))
        revoked_[to_count(record_of(line, number, [](const Json&) {}).at("device"))] = number;
    });
    contents_.was_torn = each_whole_line(text, name_, [&](std::string_view line, std::size_t number) {
      if (number >= lines) // written since the first reading
        return;
      std::vector<Case> found;
      const Json record = record_of(line, number, [&](const Json& one) {
        if (number > 0) // before the first record the job is unknown
          found.push_back(read_case(job(), one));
      });
      number == 0 ? begin(record) : read(record, std::move(found), number);
      ++contents_.records;
    });
    if (contents_.records == 0)
      throw UsageError(fmt::format("the journal '{}' is empty", name_));
  }

  JournalContents finish() {
    for (const JournalRun& run : contents_.runs)
      contents_.result.seconds += run.seconds;
    SearchResult& result = contents_.result;
    for (PartialClaim& claim : claims_) // partly searched claims whose arguments were not searched otherwise later
      if (!claim.done.empty() && known(claim.claim.ranks).empty())
        result.partial_claims.push_back(std::move(claim));
    contents_.result.interrupted = !contents_.is_complete();
    contents_.result.sort();
    return std::move(contents_);
  }

private:
  void begin(const Json& record) {
    if (record.at("type") != "journal")
      throw UsageError("it is not the beginning of a journal");
    (void)record.at("schema"); // a journal has always had one
    require_schema(record);
    contents_.header = read_header(record);
    contents_.owned = read_job(record);
    if (const auto found = record.find("shard"); found != record.end())
      contents_.header.shard = read_shard(job(), *found);
  }

  void read(const Json& record, std::vector<Case> found, std::size_t line) {
    const std::string type = record.at("type");
    if (type == "run") {
      // Before version 0.2.0 a journal was of one program.
      contents_.runs.push_back(
          {record.at("begun"), 0, 0, record.contains("version") ? read_program(record) : contents_.header.program});
      return;
    }
    if (type == "device") {
      read_device(record, contents_.devices);
      return;
    }
    if (type == "claim") {
      begin_claim(record);
      return;
    }
    if (contents_.runs.empty())
      throw UsageError("no `run` record precedes it");
    JournalRun& run = contents_.runs.back();
    run.seconds = to_amount(record.at("at"));
    if (type == "range") {
      const SearchResult& result = contents_.result;
      const auto all = [&] { return result.covered.size() + result.left_out.size() + result.gaps.size(); };
      const uint128 covered_before = result.arguments();
      const uint128 before = all();
      read_range(contents_.result, job(), record);
      if (const uint128 said = to_integer(record.at("arguments")); said != all() - before)
        throw UsageError(fmt::format("a range of {} arguments is said to have {}", tmd::to_string(all() - before),
                                     tmd::to_string(said)));
      run.arguments += result.arguments() - covered_before;
    } else if (type == "revoked") {
      contents_.devices[device_number(record, contents_.devices)].revoked = true;
    } else if (type == "part") {
      read_part(record, std::move(found), line, run);
    } else if (type == "claimed") {
      read_claimed(record, std::move(found), line, run);
    } else {
      throw UsageError("it is a record of an unknown type");
    }
  }

  [[nodiscard]] bool is_revoked(std::size_t device, std::size_t line) const {
    const auto found = revoked_.find(device);
    return found != revoked_.end() && line < found->second;
  }

  // Credits a device and a run with work that counts.
  void credit(JournalDevice& device, JournalRun& run, uint128 arguments, const PartResult& what) const {
    run.arguments += arguments;
    device.arguments += arguments;
    device.seconds += what.seconds;
    device.cases += static_cast<std::uint64_t>(std::count_if(
        what.found.begin(), what.found.end(), [](const Case& one) { return one.kind == Case::Kind::hard; }));
  }

  // Reads a part's record; its cases must be in the given ranges.
  [[nodiscard]] PartResult read_work(const Json& record, std::vector<Case> cases,
                                     const job::RankInterval& ranks) const {
    if (!record.at("found").is_array() || !record["found"].empty())
      throw UsageError("its findings are not a list of cases");
    PartResult what = read_part_work(record);
    what.found = std::move(cases);
    std::vector<format::ArgumentSet::Rank> found;
    found.reserve(what.found.size());
    for (const Case& one : what.found) {
      found.push_back(job().arguments().rank(one.x));
      if (found.back() < ranks.first || found.back() >= ranks.last)
        throw UsageError("a case is outside its part");
      if (one.bits < job().K)
        throw UsageError(fmt::format("a case of {} bits is none for K = {}", one.bits, job().K));
    }
    if (!std::is_sorted(found.begin(), found.end()))
      std::sort(found.begin(), found.end());
    if (std::adjacent_find(found.begin(), found.end()) != found.end())
      throw UsageError("a case is in it twice");
    return what;
  }

  void read_part(const Json& record, std::vector<Case> cases, std::size_t line, JournalRun& run) {
    const std::size_t number = device_number(record, contents_.devices);
    JournalDevice& device = contents_.devices[number];
    if (is_revoked(number, line))
      return;
    const JournalPart part{ranks_of(job(), record), number, contents_.runs.size() - 1, to_amount(record.at("seconds"))};
    const auto size = static_cast<uint128>(part.ranks.last - part.ranks.first);
    if (const auto said = record.find("arguments"); said != record.end() && to_integer(*said) != size)
      throw UsageError(fmt::format("a part of {} arguments is said to have {}", tmd::to_string(size), said->dump()));
    SearchResult& result = contents_.result;
    result.covered.add(part.ranks.first, part.ranks.last);
    PartResult what = read_work(record, std::move(cases), part.ranks);
    credit(device, run, size, what);
    if (use_) {
      std::for_each(what.found.begin(), what.found.end(), use_);
      what.found.clear();
    }
    PartSums sums;
    sums.add(what, size);
    result.add_work(sums);
    result.add(std::move(sums.found));
    contents_.parts.push_back(part);
  }

  void begin_claim(const Json& record) {
    if (record.at("claim") != claims_.size())
      throw UsageError("its claim has a wrong number");
    ClaimIdentity claim{record.at("engine"), ranks_of(job(), record), to_integer(record.at("extent")),
                        record.at("coordinate")};
    if (job::stretches(job().arguments(), claim.ranks.first, claim.ranks.last).size() != 1)
      throw UsageError("its arguments are not of one binade");
    if (claim.extent == 0 || claim.extent > most_extent)
      throw UsageError("its coordinate has no such extent");
    claims_.push_back({claim, {}, {}});
    claim_seconds_.push_back(0);
    contents_.claims.push_back(std::move(claim));
  }

  void read_claimed(const Json& record, std::vector<Case> cases, std::size_t line, JournalRun& run) {
    const std::size_t number = device_number(record, contents_.devices);
    JournalDevice& device = contents_.devices[number];
    if (is_revoked(number, line))
      return;
    const std::uint64_t of = to_count(record.at("claim"));
    if (of >= claims_.size())
      throw UsageError("no record before it begins its claim");
    PartialClaim& claim = claims_[of];
    PartResult what = read_work(record, std::move(cases), claim.claim.ranks);
    what.part = {0, to_integer(record.at("place")), to_integer(record.at("count"))};
    const uint128 arguments = to_integer(record.at("arguments"));
    if (what.part.count == 0 || what.part.count > claim.claim.extent ||
        what.part.first > claim.claim.extent - what.part.count)
      throw UsageError("it is outside its claim");
    if (arguments > claim.claim.size())
      throw UsageError("it has more arguments than its claim");
    claim.add(what, arguments);
    credit(device, run, arguments, what);
    claim_seconds_[of] += what.seconds;
    if (!claim.is_complete())
      return;
    contents_.result.close(job(), claim);
    if (use_)
      hand_over(contents_.result);
    contents_.parts.push_back({claim.claim.ranks, number, contents_.runs.size() - 1, claim_seconds_[of]});
  }

  // Hands over the cases of a complete claim: until then it is open which of them count.
  void hand_over(Findings& found) const {
    found.sort();
    for (Cases* list : {&found.cases, &found.exact, &found.undecided}) {
      std::for_each(list->begin(), list->end(), use_);
      const std::size_t unlisted = list->unlisted();
      list->clear();
      list->add_unlisted(unlisted);
    }
  }

  // The ranks among these that are covered or left out.
  [[nodiscard]] job::Coverage known(const job::RankInterval& ranks) const {
    const job::Coverage all(ranks.first, ranks.last);
    job::Coverage result = contents_.result.covered.intersection(all);
    result.add(contents_.result.left_out.intersection(all));
    return result;
  }

  [[nodiscard]] const job::Job& job() const { return contents_.job(); }

  std::string_view name_;
  const CaseSink& use_;
  std::map<std::size_t, std::size_t> revoked_; // by device, the last line that revokes it
  std::vector<PartialClaim> claims_;           // by number; complete ones have no sums
  std::vector<double> claim_seconds_;
  JournalContents contents_;
};

} // namespace

std::vector<Program> JournalContents::programs() const {
  std::vector<Program> programs{header.program};
  for (const JournalRun& run : runs)
    if (run.arguments > 0)
      add_program(programs, run.program);
  return programs;
}

bool JournalContents::is_complete() const { return result.covered.size() + result.left_out.size() == job().size(); }

JournalContents parse_journal(const support::TextSource& text, std::string_view name, const CaseSink& use) {
  Reader reader(name, use);
  reader.read(text);
  return reader.finish();
}

JournalContents read_journal(const std::filesystem::path& file, const CaseSink& use) {
  const ResultText text = open_result(file.string());
  require_journal(text);
  return parse_journal(text.text, text.name, use);
}

bool is_being_written(const std::filesystem::path& file) {
  const support::Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  return descriptor.is_open() && ::flock(descriptor.number(), LOCK_SH | LOCK_NB) != 0;
}

Journal::Journal(const std::filesystem::path& file)
    : lines_(file, "another search is writing it"), syncing_([this] { sync_now_and_then(); }) {}

Journal::~Journal() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ending_.notify_one();
  syncing_.join();
}

std::optional<JournalContents> Journal::contents() {
  if (lines_.empty())
    return std::nullopt;
  JournalContents contents = parse_journal(lines_.text(), lines_.file().string());
  contents.was_torn = lines_.was_torn();
  records_ = contents.records;
  devices_ = contents.devices;
  claims_ = contents.claims;
  has_results_ = contents.has_results();
  return contents;
}

void Journal::begin(const JournalHeader& header, const job::Job& job) {
  lines_.clear();
  records_ = 0;
  devices_.clear();
  claims_.clear();
  has_results_ = false;
  append(open_record(header_record(header, job)));
}

void Journal::begin_run(const Program& program, const job::Job& job,
                        const std::vector<opencl::DeviceDescription>& devices) {
  job_ = &job;
  has_revoked_ = false;
  start_ = std::chrono::steady_clock::now();
  numbers_ = number_devices(devices, devices_, [this](const Json& record) { append(open_record(record)); });
  Json record = plain_record("run", {{"begun", now_in_utc()}});
  write_program(record, program);
  append(open_record(record));
}

void Journal::searched(std::size_t worker, const job::RankInterval& ranks, const PartResult& part) {
  const format::ArgumentSet arguments = job_->arguments();
  std::string record = fmt::format(R"({}part","first":"{}","last":"{}","arguments":{},"device":{})", record_beginning,
                                   to_hex(arguments.at(ranks.first)), to_hex(arguments.at(ranks.last)),
                                   to_json(static_cast<uint128>(ranks.last - ranks.first)).dump(), numbers_.at(worker));
  append_part_result(record, part);
  append_at(std::move(record));
}

void Journal::searched(std::size_t worker, const ClaimIdentity& claim, uint128 arguments, const PartResult& part) {
  const auto known = std::find(claims_.begin(), claims_.end(), claim);
  const auto number = static_cast<std::size_t>(known - claims_.begin());
  if (known == claims_.end()) {
    append(open_record(claim_record(*job_, number, claim)));
    claims_.push_back(claim);
  }
  Json record = plain_record("claimed", {{"claim", number},
                                         {"place", to_json(part.part.first)},
                                         {"count", to_json(part.part.count)},
                                         {"arguments", to_json(arguments)},
                                         {"device", numbers_.at(worker)}});
  std::string text = open_record(record);
  append_part_result(text, part);
  append_at(std::move(text));
}

void Journal::proven(const job::RegimeRange& range) { append_at(open_record(range_record(*job_, range))); }

void Journal::left_out(const job::RankInterval& ranks) { append_at(open_record(left_out_record(*job_, ranks))); }

void Journal::revoked(std::size_t worker) {
  has_revoked_ = true;
  append_at(open_record(plain_record("revoked", {{"device", numbers_.at(worker)}})));
}

void Journal::append_at(std::string record) {
  has_results_ = true;
  record += fmt::format(R"(,"at":{:.6f})", support::seconds_since(start_));
  append(std::move(record));
}

void Journal::append(std::string record) {
  const std::lock_guard lock(mutex_);
  if (failed_)
    std::rethrow_exception(std::exchange(failed_, nullptr));
  close_record(record, records_);
  lines_.append(record);
  ++records_;
  unsynced_ = true;
}

void Journal::sync() {
  const std::lock_guard lock(mutex_);
  lines_.sync();
  unsynced_ = false;
}

void Journal::sync_now_and_then() {
  constexpr std::chrono::seconds rhythm(1);
  std::unique_lock lock(mutex_);
  while (!ending_.wait_for(lock, rhythm, [this] { return ended_; })) {
    if (!std::exchange(unsynced_, false))
      continue;
    lock.unlock(); // lets others go on writing
    std::exception_ptr failed;
    try {
      lines_.sync();
    } catch (...) {
      failed = std::current_exception();
    }
    lock.lock();
    if (failed)
      failed_ = failed;
  }
}

} // namespace tmd::result
