// Reads lists of cases by their comments: those of `tmd search --wc`, and those beside published pages.
#include "result/forms.hpp"

#include "function/expression.hpp"
#include "result/wc.hpp"
#include "support/text_forms.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace tmd::result {

namespace {

using support::take;

constexpr std::string_view first_words = "# Hard-to-round cases of ";

// Removes the text up to a mark, and the mark; returns that text. Throws UsageError if there is no mark.
std::string_view take_until(std::string_view& text, std::string_view mark) {
  const std::size_t end = text.find(mark);
  if (end == std::string_view::npos)
    throw UsageError(fmt::format("'{}' is missing in it", mark));
  const std::string_view found = text.substr(0, end);
  text.remove_prefix(end + mark.size());
  return found;
}

uint128 count_of(std::string_view digits) {
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos)
    throw UsageError("a number is missing in it");
  return to_integer(Json(std::string(digits)));
}

// Parses a number of bits.
int few_of(std::string_view digits) {
  const uint128 count = count_of(digits);
  if (count > std::numeric_limits<int>::max())
    throw UsageError("a number in it is too large");
  return static_cast<int>(count);
}

// Parses "FIRST, LAST" and the mark behind it; both ends must be arguments of the job.
job::RankInterval take_ranks(std::string_view& text, const job::Job& job, std::string_view mark) {
  const format::ArgumentSet arguments = job.arguments();
  const format::ArgumentSet::Rank first = arguments.parse(take_until(text, ", "), "first");
  return {first, arguments.parse(take_until(text, mark), "last") + 1};
}

// ", 3 of them cases, those of 1/x in every binade, with the significands 0x1p+0 0x1.8p+0".
std::shared_ptr<const job::BinadeCases> read_some(std::string_view text, int precision) {
  (void)take_until(text, ", those of ");
  const std::string beside(take_until(text, " in every binade, with the significands "));
  std::vector<std::string> significands;
  while (!text.empty()) {
    significands.emplace_back(text.substr(0, text.find(' ')));
    text.remove_prefix(std::min(text.size(), significands.back().size() + 1));
  }
  return std::make_shared<const job::BinadeCases>(job::BinadeCases::of(beside, precision, significands));
}

job::BreakpointRule read_rule(std::string_view text) {
  (void)take_until(text, "f(x) ");
  job::BreakpointRule rule;
  const std::string_view sign = take_until(text, " ");
  rule.side = sign == "beside" ? job::Side::undecided : sign == ">" ? job::Side::above : job::Side::below;
  rule.slope = take_until(text, "*x + ");
  rule.offset = text.substr(0, text.find(','));
  if (text.find("midpoint") != std::string_view::npos)
    rule.breakpoint = Breakpoint::midpoint;
  else if (text.find("representable") != std::string_view::npos)
    rule.breakpoint = Breakpoint::representable;
  return rule;
}

// Reads what all lists have in common.
class ListReader {
public:
  ListReader(const ResultText& text, const EntrySink& use) : name_(text.name), use_(use) {
    search_.kind = FileKind::list;
  }
  ListReader(const ListReader&) = delete;
  ListReader& operator=(const ListReader&) = delete;
  virtual ~ListReader() = default;

  RecordedSearch read(const support::TextSource& text) {
    read_head(text);
    const auto read_line = [&](std::string_view line, std::size_t number) {
      if (!take(line, "# "))
        add(number, line, Case::Kind::hard);
      else if (take(line, "Range "))
        read_range(line, number);
      else
        read_comment(line, number);
    };
    each_full_line(text, read_line, [&](std::size_t line, const std::string& what) { complain(line, what); });
    end();
    return std::move(search_);
  }

protected:
  // Determines the job. Throws UsageError if there is none.
  virtual void read_head(const support::TextSource& text) = 0;
  virtual void read_comment(std::string_view text, std::size_t line) = 0;
  virtual void end() = 0;

  void complain(std::size_t line, std::string what) { search_.mistakes.push_back({line, std::move(what)}); }
  void add(std::size_t line, std::string_view number, Case::Kind kind) {
    const format::ArgumentSet arguments = search_.job().arguments();
    add_entry(search_, use_, {line, arguments.at(arguments.parse(number, "x")), kind, {}, {}});
  }
  RecordedSearch& search() { return search_; }
  [[nodiscard]] std::string_view name() const { return name_; }

private:
  void read_range(std::string_view text, std::size_t line) {
    const std::string_view whole = text;
    const job::Job& job = search_.job();
    (void)take_until(text, "[");
    const job::RankInterval ranks = take_ranks(text, job, "]: ");
    if (ranks.first >= ranks.last || ranks.first < job.first || ranks.last > job.last)
      throw UsageError("the range is empty or outside the job's");
    (void)take_until(text, " arguments");
    const bool is_left_out = take(text, " not searched");
    job::RegimeRange range{ranks, {}};
    if (text.find(" of them cases, those of ") != std::string_view::npos)
      range.regime.some = read_some(text, job.argument_precision);
    else if (!is_left_out && !take(text, ", none a case"))
      range.regime.rule = read_rule(text);
    else if (!is_left_out) {
      range.regime.is_exact = take(text, ": every one is exact");
      range.regime.is_pole = take(text, ": every one is a pole");
    }
    const std::string again =
        is_left_out ? describe_left_out(job, {ranks.first, ranks.last}) : describe_fully(job, range);
    if (whole != again)
      complain(line, fmt::format("it should be '{}'", again));
    search_.in_ranges.add(ranks.first, ranks.last);
    if (is_left_out)
      search_.left_out.push_back({line, ranks});
    else
      search_.regimes.push_back({line, range});
  }

  std::string_view name_;
  const EntrySink& use_;
  RecordedSearch search_;
};

class SearchListReader : public ListReader {
public:
  using ListReader::ListReader;

private:
  // The request determines the job; for a part of a job, the first line says which part.
  void read_head(const support::TextSource& text) override {
    std::optional<Json> request;
    (void)support::any_line(text, [&](const support::Line& line) {
      std::string_view words = line.text;
      if (search().command.empty() && take(words, "# Made by tmd ")) {
        read_program(take_until(words, " with: "));
        search().command = words;
      } else if (take(words, "# Request: ")) {
        request = Json::parse(words, nullptr, false);
      } else if (take(words, first_words)) {
        search().said = words;
      }
      return false; // output of a driver may precede it
    });
    if (search().command.empty())
      throw no_result(name(), "it has neither records nor a comment `# Made by tmd … with: …`; `tmd check` looks at "
                              "other lists");
    resolve_request(search(), request);
    if (search().is_merged)
      throw no_result(name(), "it was merged, and only its records, of `tmd merge --json`, say of which job");
    if (!search().asked)
      throw no_result(name(), fmt::format("its command '{}' is none: {}", search().command, search().not_asked));
    search().owned = {search().asked->function, search().asked->job};
    if (search().asked->spec.shard)
      read_part(search().said);
  }

  // Parses "FUNCTION on [FIRST, LAST), …".
  void read_part(std::string_view said) {
    (void)take_until(said, " on [");
    job::Job& job = search().owned.job;
    const format::ArgumentSet arguments = job.arguments();
    const job::RankInterval part{arguments.parse(take_until(said, ", "), "first"),
                                 arguments.parse(take_until(said, ")"), "last")};
    if (part.first >= part.last || part.first < job.first || part.last > job.last)
      throw no_result(name(), "the range in its first line is empty, or not within that of the job");
    job.first = part.first;
    job.last = part.last;
  }

  // Parses "0.2.0 (commit 0123456789ab)", or a version without a commit.
  void read_program(std::string_view text) {
    search().program.version = text.substr(0, text.find(' '));
    if (text.find("(commit ") != std::string_view::npos) {
      (void)take_until(text, "(commit ");
      search().program.commit = take_until(text, ")");
    }
  }

  // Parses "0.2.0 (commit 0123456789ab, kernels 0123456789abcdef)", or the same without a commit.
  void read_other_program(std::string_view text) {
    Program& other = search().other_programs.emplace_back();
    other.version = take_until(text, " (");
    if (take(text, "commit "))
      other.commit = take_until(text, ", ");
    (void)take_until(text, "kernels ");
    other.kernels.digest = take_until(text, ")");
  }

  void read_comment(std::string_view text, std::size_t line) override {
    if (text.starts_with("Hard-to-round cases of ") || text.starts_with("Request: ") ||
        text.starts_with("Made by tmd "))
      return; // already read
    if (take(text, "Kernels: "))
      search().program.kernels = {std::string(text.substr(0, text.find_first_of(" ,"))),
                                  text.find(' ') != std::string_view::npos};
    else if (take(text, "Also found by tmd "))
      read_other_program(text);
    else if (take(text, "Exact: "))
      read_exact(text, line);
    else if (take(text, "Undecided: "))
      add(line, text, Case::Kind::undecided);
    else if (text.starts_with("Complete: ") || text.starts_with("Partial: "))
      read_claim(text);
    else
      read_counts(text, line);
  }

  void read_exact(std::string_view text, std::size_t line) {
    if (text.find(" more") != std::string_view::npos)
      search().has_all_exact = false;
    else
      add(line, text, Case::Kind::exact);
  }

  void read_claim(std::string_view text) {
    is_claimed_ = true;
    is_partial_ = text.starts_with("Partial");
    const std::string bound = fmt::format(" closer than 2^-{} spacings ", search().job().K);
    if (text.find(bound) == std::string_view::npos)
      throw UsageError(fmt::format("it does not say '{}'", bound));
  }

  void read_counts(std::string_view text, std::size_t line) {
    Summary summary;
    summary.line = line;
    summary.arguments = count_of(take_until(text, " arguments covered; "));
    summary.cases = count_of(take_until(text, " cases, "));
    summary.exact = count_of(take_until(text, " exact cases"));
    summary.partial = is_partial_;
    if (text.starts_with(" not listed")) // wording of older lists
      search().has_all_exact = false;
    search().summary = summary;
  }

  void end() override {
    if (!search().summary)
      complain(0, "no comment says how many arguments and cases there are");
    if (!is_claimed_)
      complain(0, "no comment says that it is complete");
  }

  bool is_partial_ = false;
  bool is_claimed_ = false; // whether the list says that it is complete, or partial
};

// Reads a published list. Its comments have a fixed order: the job, the least K, the coverage, the ranges. It lists
// only as many of the cases as fit into a small file, and no exact ones.
class PublishedListReader : public ListReader {
public:
  using ListReader::ListReader;

private:
  void read_head(const support::TextSource& text) override {
    search().is_published = true;
    search().is_by_argument = true;
    search().has_all_exact = false;
    (void)support::any_line(text, [&](const support::Line& line) {
      std::string_view words = line.text;
      try {
        if (take(words, first_words))
          read_job(words);
        else if (take(words, "# Listed from K = "))
          read_bits(words);
        else if (take(words, "# ["))
          read_covered(words);
      } catch (const UsageError& error) {
        throw no_result(name(), fmt::format("line {}: {}", line.number, error.what()));
      }
      return !line.text.starts_with('#') && !covered_.empty();
    });
    if (search().said.empty() || covered_.empty())
      throw no_result(name(), "its first comments do not say of which function it is, and what of it was searched");
  }

  // Parses "exp, binary64 with arguments of 53 bits, breakpoints: all, values as the format has them; x >= 0 only: …."
  void read_job(std::string_view text) {
    search().said = text;
    const std::string_view head = take_until(text, " with arguments of ");
    const std::size_t comma = head.rfind(", ");
    if (comma == std::string_view::npos)
      throw UsageError("it names no format");
    search().owned.function = function::function_of(std::string(head.substr(0, comma)));
    job::Job& job = search().owned.job;
    job.function = search().owned.function.get();
    job.format = find_format(std::string(head.substr(comma + 2)));
    job.argument_precision = few_of(take_until(text, " bits, breakpoints: "));
    job.rounding = parse_rounding(std::string(text.substr(0, text.find_first_of(",.;"))));
    const auto says = [&](std::string_view words) { return text.find(words) != std::string_view::npos; };
    job.values = says("values as the format has them") ? Values::format : Values::unbounded;
    const auto& scaling = job.function->scaling;
    job.by_scaling = scaling && says(function::to_string(*scaling));
    search().symmetry = says("f(-x) = -f(x)") ? Symmetry::odd : says("f(-x) = f(x)") ? Symmetry::even : Symmetry::none;
  }

  // Parses "45: 35439 of the 68470 that were found from K = 44 on."
  void read_bits(std::string_view text) {
    search().owned.job.K = few_of(take_until(text, ": "));
    search().summary.emplace();
    search().summary->cases = count_of(take_until(text, " of "));
    (void)take_until(text, "from K = ");
    search().bits_of_ranges = few_of(take_until(text, " on"));
  }

  void read_covered(std::string_view text) {
    job::Job& job = search().owned.job;
    const job::RankInterval ranks = take_ranks(text, job, "]: ");
    if (ranks.first >= ranks.last || (!covered_.empty() && ranks.first < job.last))
      throw UsageError("the range is empty or out of order");
    job.first = covered_.empty() ? ranks.first : job.first;
    job.last = ranks.last;
    covered_.add(ranks.first, ranks.last);
  }

  void read_comment(std::string_view text, std::size_t line) override {
    if (text.starts_with("Listed from ") && search().summary)
      search().summary->line = line;
  }

  void end() override {
    if (!search().summary)
      return complain(0, "no comment says from which K on cases are listed");
    if (!add_covered(search(), covered_))
      complain(0, "it covers arguments that follow from others by the scaling of the function");
  }

  job::Coverage covered_;
};

bool is_published(const support::TextSource& text) {
  return support::any_line(text, [](const support::Line& line) { return line.text.starts_with("# Listed from K = "); });
}

} // namespace

RecordedSearch read_list(const ResultText& text, const EntrySink& use) {
  return is_published(text.text) ? PublishedListReader(text, use).read(text.text)
                                 : SearchListReader(text, use).read(text.text);
}

} // namespace tmd::result
