// Reads JSON Lines: those of `tmd search --json`, and those beside a published page, which are in blocks by function
// and list only the hardest cases.
#include "result/forms.hpp"

#include "result/json_lines.hpp"

#include <utility>

#include <fmt/format.h>

namespace tmd::result {

namespace {

constexpr int most_bits_of_a_job = 120;

// Reads what both kinds of records have in common: each is one line, and the first one describes the job.
class RecordReader {
public:
  RecordReader(const ResultText& text, const EntrySink& use) : name_(text.name), use_(use) { search_.kind = text.kind; }
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;
  virtual ~RecordReader() = default;

  RecordedSearch read(const support::TextSource& text) {
    const auto read_line = [&](std::string_view line, std::size_t number) {
      if (line.front() != '{') // output of a driver in the same file
        return;
      const Json record = Json::parse(line, nullptr, false);
      if (!record.is_object() || !record.contains("type"))
        throw UsageError("it is not a record");
      if (begun_)
        return read_next(record, record.at("type"), number);
      begin(record, number);
      begun_ = true;
    };
    each_full_line(text, read_line, [&](std::size_t line, const std::string& sentence) { complain(line, sentence); });
    if (!begun_)
      throw no_result(name_, "it has no records");
    end();
    return std::move(search_);
  }

protected:
  virtual void begin(const Json& record, std::size_t line) = 0;
  virtual void read_next(const Json& record, const std::string& type, std::size_t line) = 0;
  virtual void end() = 0;

  void complain(std::size_t line, const std::string& sentence) {
    if (!begun_)
      throw no_result(name_, fmt::format("line {}: {}", line, sentence));
    search_.mistakes.push_back({line, sentence});
  }

  // Reads the job from the first record.
  void read_job_of(const Json& record, std::string_view type) {
    if (record.at("type") != type)
      throw UsageError(fmt::format("it does not begin with a `{}` record", type));
    require_schema(record);
    search_.owned = read_parts_of_job(record);
    if (const int bits = search_.job().K; bits < 1 || bits > most_bits_of_a_job)
      throw UsageError(fmt::format("K must be 1 to {}, not {}", most_bits_of_a_job, bits));
    search_.said = record.at("job");
    search_.symmetry = read_symmetry(record.value("symmetry", Json()));
    search_.scaling = record.value("scaling", Json());
  }

  // Notes mistakes of the first record; it is used all the same.
  void check_first(const Json& record, std::size_t line) {
    begun_ = true;
    const job::Job& job = search_.job();
    const Json decisive = decisive_record(job);
    // For a single range, it follows from the job's; and pages of 0.1.0 do not have it.
    const bool may_lack_it = !job.by_scaling || decisive.size() == 1 || search_.is_published;
    if (const Json said = record.value("decisive", may_lack_it ? decisive : Json()); said != decisive)
      complain(line, fmt::format("by its scaling {} decide the rest, not {}", decisive.dump(), said.dump()));
    if (record.at("precision") != job.format.precision)
      complain(line, fmt::format("its precision is {}, that of {} is {}", record.at("precision").dump(),
                                 job.format.name, job.format.precision));
  }

  // Reads entries and ranges, which both kinds have. Returns false for other records.
  bool read_found(const Json& record, const std::string& type, std::size_t line) {
    if (type == "case" || type == "exact" || type == "undecided") {
      const Case one = read_case(search_.job(), record);
      add_entry(search_, use_, entry_of(line, one, one.bits));
      return true;
    }
    if (type == "range")
      add_range(search_, record, line);
    return type == "range";
  }

  RecordedSearch& search() { return search_; }
  [[nodiscard]] const EntrySink& use() const { return use_; }

private:
  std::string_view name_;
  const EntrySink& use_;
  bool begun_ = false;
  RecordedSearch search_;
};

class SearchReader : public RecordReader {
public:
  using RecordReader::RecordReader;

private:
  void begin(const Json& record, std::size_t line) override {
    read_job_of(record, "search");
    search().program = read_program(record);
    search().other_programs = read_other_programs(record);
    search().command = record.at("command");
    check_first(record, line);
    const auto request = record.find("request");
    resolve_request(search(), request == record.end() ? std::nullopt : std::optional(*request));
    if (record.contains("shard"))
      search().shard = read_shard(search().job(), record["shard"]);
    read_devices(record);
  }

  // Reads the devices, if they are recorded.
  void read_devices(const Json& record) {
    if (record.contains("device"))
      search().devices.push_back(record.at("device").at("name"));
    if (record.contains("devices"))
      for (const Json& one : record.at("devices"))
        search().devices.push_back(one.at("device").at("name"));
    if (record.contains("ledger"))
      for (const Json& field : record.at("ledger"))
        for (const auto& [method, intervals] : field.at("methods").items())
          search().methods.insert(method);
    if (record.contains("cpu_mode") && record["cpu_mode"].is_object())
      for (const auto& [stage, mode] : record["cpu_mode"].at("in_effect").items())
        search().modes_in_effect[stage] = mode;
  }

  void read_next(const Json& record, const std::string& type, std::size_t line) override {
    if (search().summary)
      throw UsageError("it follows the summary");
    if (type == "search")
      throw UsageError("it is a second `search` record");
    if (!read_found(record, type, line) && type == "summary")
      read_summary(record, line);
  }

  void read_summary(const Json& record, std::size_t line) {
    Summary summary;
    summary.line = line;
    summary.arguments = to_integer(record.at("arguments"));
    summary.cases = to_integer(record.at("cases"));
    summary.exact = to_integer(record.at("exact"));
    summary.exact_listed = to_integer(record.value("exact_listed", record["exact"]));
    summary.undecided = to_integer(record.at("undecided"));
    summary.cases_in_ranges = to_integer(record.at("cases_in_ranges"));
    summary.none_in_ranges = to_integer(record.at("none_in_ranges"));
    summary.exact_in_ranges = to_integer(record.value("exact_in_ranges", Json(0)));
    summary.left_out = to_integer(record.at("left_out")) + to_integer(record.value("gaps", Json(0)));
    summary.partial = record.at("partial");
    summary.stages = read_named_stages(record);
    summary.idle = read_idle(record);
    if (record.contains("seconds")) // missing with --reproducible
      summary.seconds = to_amount(record["seconds"]);
    if (record.contains("polynomials"))
      summary.planning_seconds = to_amount(record["polynomials"].at("seconds"));
    search().has_all_exact = summary.exact_listed == summary.exact;
    search().summary = summary;
  }

  void end() override {
    if (!search().summary)
      complain(0, "there is no summary record: the file has been cut off");
  }
};

// Reads the records of a page. They give the number of cases of every block, and list the hardest cases, the first
// exact ones and the first undecided ones.
class PublicationReader : public RecordReader {
public:
  using RecordReader::RecordReader;

private:
  void begin(const Json& record, std::size_t line) override {
    read_job_of(record, "publication");
    search().is_published = true;
    search().has_all_exact = false;
    search().summary.emplace();
    check_first(record, line);
  }

  void read_next(const Json& record, const std::string& type, std::size_t line) override {
    if (type == "block")
      read_block(record, line);
    else if (type == "searched")
      searched_.add(ranks_of(search().job(), record));
    else
      read_found(record, type, line);
  }

  void read_block(const Json& record, std::size_t line) {
    add_program(programs_, read_program(record));
    for (const Program& one : read_other_programs(record))
      add_program(programs_, one);
    Summary& summary = *search().summary;
    summary.cases += to_integer(record.at("cases"));
    summary.exact += to_integer(record.at("exact"));
    summary.seconds += to_amount(record.at("seconds"));
    for (const Json& one : record.at("hardest"))
      read_found(one, one.at("type"), line);
  }

  void end() override {
    if (programs_.empty())
      return complain(0, "no block of it has been searched");
    search().program = programs_.front();
    search().other_programs.assign(programs_.begin() + 1, programs_.end());
    if (!add_covered(search(), searched_))
      complain(0, "it has searched arguments that are not within its job");
  }

  static job::Coverage ranks_of(const job::Job& job, const Json& record) {
    const format::ArgumentSet arguments = job.arguments();
    return {arguments.parse(record.at("first").get<std::string>(), "first"),
            arguments.parse(record.at("last").get<std::string>(), "last") + 1};
  }

  std::vector<Program> programs_;
  job::Coverage searched_;
};

} // namespace

RecordedSearch read_records(const ResultText& text, const EntrySink& use) {
  return SearchReader(text, use).read(text.text);
}

RecordedSearch read_publication(const ResultText& text, const EntrySink& use) {
  return PublicationReader(text, use).read(text.text);
}

} // namespace tmd::result
