// The arguments are cut into chunks of one sign and one binade at most. Threads, each with a process that has the
// library in it, take one chunk after the other: the process calls the library for the chunk in the four directions,
// then RightResultFinder computes what is right. Groups of results are compared in a loop without branches; only where
// one differs are its members looked at one by one. Sizes of errors are nearly right in double; the largest one of each
// direction, and the worst results that are kept, are judged by MPFR.
#include "library/all_arguments.hpp"

#include "library/coded_results.hpp"
#include "library/other_function.hpp"
#include "library/right_results.hpp"
#include "library/samples.hpp"
#include "number/arb.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <limits>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <utility>

namespace tmd::library {

namespace {

constexpr std::size_t most_no_values = 10;   // limit for the arguments named that have no value
constexpr std::size_t group = 1024;          // number of results compared before any of them is looked at by itself
constexpr double negligible_error = 0x1p-48; // in ulps: below this, it does not matter which error is the largest

// Consecutive arguments of one sign.
struct Chunk {
  enum class Right { by_value, no_number, at_infinity };
  job::Stretch stretch; // numbers; empty for other arguments
  Code encoding;        // of the first
  std::size_t count;
  Right right = Right::by_value;
};

// log2 of an ulp of the number.
int ulp_of(std::uint64_t code, const Encodings& encodings) {
  const Format& format = encodings.format();
  const auto binade = static_cast<int>(encodings.magnitude(code) >> (format.precision - 1));
  return format.min_exponent + std::max(binade - 1, 0) - format.precision + 1;
}

// Exact. An infinity counts as the power of two next above the largest number.
double value_of(std::uint64_t code, const Encodings& encodings) {
  if (encodings.is_nan(code))
    return std::numeric_limits<double>::quiet_NaN();
  const std::uint64_t hidden = std::uint64_t(1) << (encodings.format().precision - 1);
  const auto magnitude = static_cast<std::uint64_t>(encodings.magnitude(code));
  const std::uint64_t significand = magnitude < hidden ? magnitude : (magnitude & (hidden - 1)) | hidden;
  const double size = static_cast<double>(significand) * power_of_two(ulp_of(code, encodings));
  return encodings.is_negative(code) ? -size : size;
}

class Chunks {
public:
  Chunks(const AllArguments& all, const Encodings& encodings) : encodings_(encodings) {
    const format::ArgumentSet& set = encodings.set();
    // The domain with both ends included: an end outside the domain may be a pole.
    Domain closed = all.function->domain;
    closed.lower_included = std::isfinite(closed.lower);
    closed.upper_included = std::isfinite(closed.upper);
    const job::RankInterval inside = job::ranks_in_domain(closed, set);
    const job::RankInterval ranks = all.ranks.value_or(job::RankInterval{1 - set.end(), set.end()});
    add({ranks.first, std::min(ranks.last, inside.first)}, Chunk::Right::no_number);
    add({std::max(ranks.first, inside.first), std::min(ranks.last, inside.last)}, Chunk::Right::by_value);
    add({std::max(ranks.first, inside.last), ranks.last}, Chunk::Right::no_number);
    if (!all.ranks)
      add_others(closed, inside);
    for (const Chunk& chunk : chunks_)
      arguments_ += chunk.count;
    // From 1 outwards: errors there are of usual size, so the tiny ones near zero need not be known exactly.
    const auto one = static_cast<std::int64_t>(set.parse("1", "1"));
    const auto distance = [&](const Chunk& chunk) {
      return std::abs(static_cast<std::int64_t>(chunk.encoding & ~encodings.sign()) - one);
    };
    std::stable_sort(chunks_.begin(), chunks_.end(),
                     [&](const Chunk& left, const Chunk& right) { return distance(left) < distance(right); });
  }

  [[nodiscard]] const std::vector<Chunk>& list() const { return chunks_; }
  [[nodiscard]] std::uint64_t arguments() const { return arguments_; }

private:
  void add(const job::RankInterval& ranks, Chunk::Right right) {
    if (ranks.first >= ranks.last)
      return;
    for (const job::Stretch& stretch : job::stretches(encodings_.set(), ranks.first, ranks.last))
      for (uint128 done = 0; done < stretch.count; done += SharedCalls::most) {
        const uint128 count = std::min<uint128>(stretch.count - done, SharedCalls::most);
        const job::Stretch part{stretch.negative, stretch.unit_exponent, stretch.first + done, count};
        const auto rank = encodings_.set().rank({false, part.first, part.unit_exponent});
        chunks_.push_back({part, static_cast<Code>(rank) | (stretch.negative ? encodings_.sign() : 0),
                           static_cast<std::size_t>(count), right});
      }
  }
  // Adds the arguments without a rank: infinities, NaN, the second zero.
  void add_others(const Domain& closed, const job::RankInterval& inside) {
    const Argument zero = encodings_.set().at(0);
    const bool has_zero = inside.first <= 0 && 0 < inside.last;
    chunks_.push_back({{true, zero.unit_exponent, 0, 1},
                       encodings_.sign(),
                       1,
                       has_zero ? Chunk::Right::by_value : Chunk::Right::no_number});
    for (const bool negative : {true, false}) {
      const bool is_outside = negative ? closed.lower_included : closed.upper_included;
      add_bits(negative, encodings_.infinity(), encodings_.infinity() + 1,
               is_outside ? Chunk::Right::no_number : Chunk::Right::at_infinity);
      add_bits(negative, encodings_.infinity() + 1, encodings_.sign(), Chunk::Right::no_number);
    }
  }
  void add_bits(bool negative, Code first, Code last, Chunk::Right right) {
    for (; first < last; first += SharedCalls::most)
      chunks_.push_back({{},
                         first | (negative ? encodings_.sign() : 0),
                         static_cast<std::size_t>(std::min<Code>(last - first, SharedCalls::most)),
                         right});
  }

  const Encodings& encodings_;
  std::vector<Chunk> chunks_;
  std::uint64_t arguments_ = 0;
};

// The results of all directions. "Away" and "toward" are seen from zero.
template <typename Bits> struct Results {
  const Bits* nearest;
  const Bits* away;
  const Bits* inwards;
  const Bits* toward_zero;
};

// Whether a result differs from the right one, for values of one sign. Ties and unknown values count as different.
template <typename Bits>
Bits difference(const Results<Bits>& results, const std::uint64_t* toward_zero, const double* fraction, std::size_t i) {
  const auto right = static_cast<Bits>(toward_zero[i]);
  const auto next = static_cast<Bits>(right + (fraction[i] > 0 ? 1 : 0));
  const auto near = static_cast<Bits>(right + (fraction[i] > 0.5 ? 1 : 0));
  return static_cast<Bits>((results.nearest[i] ^ near) | (results.away[i] ^ next) | (results.inwards[i] ^ right) |
                           (results.toward_zero[i] ^ right));
}

// Whether any result of a group differs. largest: raised to the largest error of the right results to nearest.
template <typename Bits>
bool differ(const Results<Bits>& results, const std::uint64_t* toward_zero, const double* fraction, std::size_t count,
            double& largest) {
  Bits different = 0;
  for (std::size_t i = 0; i < count; ++i)
    different |= difference(results, toward_zero, fraction, i);
  constexpr std::size_t lanes = 8; // maxima, which compilers may keep in vectors
  std::array<double, lanes> most{};
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const double behind = fraction[i + lane];
      const double error = behind > 0.5 ? 1 - behind : behind;
      most[lane] = error > most[lane] ? error : most[lane];
    }
  for (; i < count; ++i)
    if (const double error = fraction[i] > 0.5 ? 1 - fraction[i] : fraction[i]; error > most[0])
      most[0] = error;
  largest = std::max(largest, *std::max_element(most.begin(), most.end()));
  return different != 0;
}

// Calls a library for chunk after chunk, and judges what comes back.
template <typename Bits> class ChunkJudge {
public:
  ChunkJudge(const AllArguments& all, const Encodings& encodings, std::unique_ptr<CalledFunction> called)
      : listed(all.most_listed), other(all.other ? all.other() : nullptr, encodings), all_(all), encodings_(encodings),
        called_(std::move(called)), finder_(*all.function, all.format) {
    if (all.flags)
      findings.flags.emplace(encodings);
  }

  // Returns false if so many calls were lost that the chunk was given up.
  [[nodiscard]] bool work(const Chunk& chunk) {
    chunk_ = chunk;
    binade_ = binade_of_argument(chunk.stretch.argument(0), all_.format);
    Bits* const arguments = called_->block().template arguments<Bits>();
    std::iota(arguments, arguments + chunk.count, static_cast<Bits>(chunk.encoding));
    const std::vector<LostCall> lost = called_->call(chunk.count, most_lost);
    find_right();
    other.compare<Bits>(*called_, chunk.count, lost, [&](std::size_t i) { return known_right(i); });
    for (const Direction direction : directions)
      for (std::size_t i = 0; i < chunk.count && !called_->rounds(direction); ++i)
        results(direction)[i] = static_cast<Bits>(expected(i, direction)); // uncalled directions count as right
    lost_.clear();
    for (const LostCall& one : lost) {
      const std::uint64_t right = expected(one.index, one.direction);
      results(one.direction)[one.index] = static_cast<Bits>(right);
      ++findings.tallies.at(index(one.direction)).lost;
      findings.faults.push_back(fault(one.index, one.direction, one.answer));
      lost_.insert(one.index);
    }
    for (const std::size_t i : lost_)
      broken.add({1, argument(i)}, encodings_);
    if (lost.size() > most_lost)
      return false;
    note_besides();
    if (findings.flags)
      judge_flags();
    count();
    compare();
    return true;
  }

  AllFindings findings;
  std::array<Worst, directions.size()> worst;
  ListedResults listed;
  OtherFunction other;
  BrokenPromise broken;

private:
  static std::size_t index(Direction direction) { return static_cast<std::size_t>(direction); }
  [[nodiscard]] Bits* results(Direction direction) const { return called_->block().template results<Bits>(direction); }
  [[nodiscard]] Code argument(std::size_t i) const { return chunk_.encoding + i; }

  void find_right() {
    if (chunk_.right == Chunk::Right::by_value)
      return finder_.find(chunk_.stretch, right_);
    right_ = {};
    right_.toward_zero.assign(chunk_.count, RightResults::no_number);
    right_.fraction.assign(chunk_.count, std::numeric_limits<double>::quiet_NaN());
    if (chunk_.right == Chunk::Right::at_infinity &&
        !right_.set(0, right_in_c(*all_.function, encodings_, chunk_.encoding)))
      right_.no_value.push_back(0);
  }

  void count() {
    findings.arguments += chunk_.count;
    findings.by_mpfr += right_.by_mpfr;
    findings.no_value += right_.no_value.size();
    findings.undecided += right_.undecided.size();
    for (const std::size_t i : right_.no_value)
      if (findings.no_values.size() < most_no_values)
        findings.no_values.push_back(encodings_.text(argument(i)));
    for (const Direction direction : directions)
      if (called_->rounds(direction)) {
        findings.tallies.at(index(direction)).calls += chunk_.count;
        findings.tallies.at(index(direction)).undecided += right_.undecided.size();
      }
  }

  void note_besides() {
    if (called_->block().header().noted == 0)
      return;
    for (std::size_t i = 0; i < chunk_.count; ++i)
      for (const Direction direction : directions)
        for (const LibraryAnswer& answer : answers_of_note(called_->block().notes(direction)[i])) {
          if (++besides_ <= most_besides)
            findings.faults.push_back(fault(i, direction, answer));
          else
            ++findings.more_faults;
        }
  }

  void judge_flags() {
    for (const Direction direction : directions) {
      const std::uint8_t* const flags = called_->block().flags(direction);
      for (std::size_t i = 0; i < chunk_.count && called_->rounds(direction); ++i)
        if (lost_.empty() || !lost_.contains(i))
          findings.flags->add(argument(i), known_right(i), direction, results(direction)[i], flags[i]);
    }
  }

  [[nodiscard]] LibraryFault fault(std::size_t i, Direction direction, LibraryAnswer answer) const {
    const bool known = right_.toward_zero[i] != RightResults::unknown;
    return {encodings_.text(argument(i)), direction, std::move(answer),
            known ? encodings_.text(expected(i, direction)) : ""};
  }

  [[nodiscard]] RightResult right(std::size_t i) const { return {right_.toward_zero[i], right_.fraction[i]}; }
  [[nodiscard]] std::optional<RightResult> known_right(std::size_t i) const {
    return right_.toward_zero[i] == RightResults::unknown ? std::nullopt : std::optional(right(i));
  }
  [[nodiscard]] std::uint64_t expected(std::size_t i, Direction direction) const {
    return static_cast<std::uint64_t>(encodings_.expected(right(i), direction));
  }
  [[nodiscard]] bool is_right(std::size_t i, Direction direction) const {
    return right_.toward_zero[i] == RightResults::unknown ||
           encodings_.is_right(right(i), direction, results(direction)[i]);
  }

  // The size of a result's error in ulps, nearly.
  [[nodiscard]] double error(std::size_t i, std::uint64_t result) const {
    const double fraction = right_.fraction[i];
    if (std::isnan(fraction) || encodings_.is_nan(result))
      return std::numeric_limits<double>::infinity();
    const std::uint64_t truncated = right_.toward_zero[i];
    const bool negative = (truncated & encodings_.sign()) != 0;
    const double off =
        (value_of(result, encodings_) - value_of(truncated, encodings_)) * power_of_two(-ulp_of(truncated, encodings_));
    return std::fabs(off - (negative ? -fraction : fraction));
  }

  // An upper bound for an error of nearly `size`. Differences of close numbers are exact, so only the fraction (by
  // 2^-54) and its difference were rounded. Where all values of a binade err nearly alike, as next to 1, one of them
  // goes to MPFR instead of each.
  [[nodiscard]] double most_error(std::size_t i, std::uint64_t result, double size) const {
    constexpr std::uint64_t near = std::uint64_t(1) << 20;
    const std::uint64_t truncated = right_.toward_zero[i];
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double above = std::nextafter(size, infinity);
    const bool is_near = (result > truncated ? result - truncated : truncated - result) < near;
    return (is_near ? above : std::nextafter(above, infinity)) + right_.error + (size < 1 ? 0x1p-53 : 0);
  }

  void compare() {
    largest_.fill(0);
    for (std::size_t begin = 0; begin < chunk_.count; begin += group) {
      const std::size_t count = std::min(group, chunk_.count - begin);
      const bool negative = (right_.toward_zero[begin] & encodings_.sign()) != 0;
      const auto from = [&](Direction direction) { return results(direction) + begin; };
      const Results<Bits> group_results{
          from(Direction::nearest), from(negative ? Direction::downward : Direction::upward),
          from(negative ? Direction::upward : Direction::downward), from(Direction::toward_zero)};
      const std::uint64_t* const toward_zero = right_.toward_zero.data() + begin;
      const double* const fraction = right_.fraction.data() + begin;
      if (!differ(group_results, toward_zero, fraction, count, largest_[0]))
        continue;
      for (std::size_t i = 0; i < count; ++i)
        if (difference(group_results, toward_zero, fraction, i) != 0)
          look_at(begin + i);
    }
    for (const Direction direction : directions)
      judge_worst(direction);
  }

  void look_at(std::size_t i) {
    bool is_broken = false;
    for (const Direction direction : directions) {
      if (is_right(i, direction))
        continue;
      const std::uint64_t result = results(direction)[i];
      const Misrounded one{argument(i), result, error(i, result), expected(i, direction)};
      ++findings.tallies.at(index(direction)).misrounded;
      findings.misrounded.add_size(direction, one.size);
      if (const double fraction = right_.fraction[i]; !std::isnan(fraction))
        ++findings.misrounded.at(binade_, nearest_breakpoint(fraction).bits).misrounded.at(index(direction));
      worst.at(index(direction)).add(one);
      listed.add(direction, one);
      largest_.at(index(direction)) = std::max(largest_.at(index(direction)), one.size);
      is_broken = is_broken || (all_.promise && breaks(*all_.promise, *all_.function, encodings_, one, direction));
    }
    if (is_broken && !lost_.contains(i))
      broken.add({1, argument(i)}, encodings_);
  }

  // If one of the chunk's results may err more than any before, asks MPFR for the candidates.
  void judge_worst(Direction direction) {
    LibraryTally& tally = findings.tallies.at(index(direction));
    const double most = largest_.at(index(direction));
    const double margin = 2 * (right_.error + most * 0x1p-48 + 0x1p-53);
    if (most == 0 || (tally.largest_error && most + margin <= std::fabs(*tally.largest_error)))
      return;
    for (std::size_t i = 0; i < chunk_.count; ++i) {
      const bool right = is_right(i, direction);
      if (right && (direction != Direction::nearest || std::isnan(right_.fraction[i])))
        continue;
      const std::uint64_t result = results(direction)[i];
      const double size = error(i, result);
      if (!(size + margin >= most) ||
          (tally.largest_error &&
           (most + margin < negligible_error || most_error(i, result, size) <= std::fabs(*tally.largest_error))))
        continue;
      LibraryTally counts_twice = tally;
      (void)judge_exactly(*all_.function, encodings_, argument(i), result, direction, counts_twice);
      tally.largest_error = counts_twice.largest_error;
      tally.at = counts_twice.at;
    }
  }

  const AllArguments& all_;
  const Encodings& encodings_;
  std::unique_ptr<CalledFunction> called_;
  RightResultFinder finder_;
  RightResults right_;
  Chunk chunk_{};
  int binade_ = 0;                                  // binade of its arguments, if they are numbers
  std::array<double, directions.size()> largest_{}; // largest errors of the chunk, nearly
  std::set<std::size_t> lost_;                      // indices of lost arguments in the chunk
  std::size_t besides_ = 0;
};

void add(AllFindings& sum, const AllFindings& part) {
  for (std::size_t i = 0; i < directions.size(); ++i) {
    LibraryTally& tally = sum.tallies.at(i);
    const LibraryTally& other = part.tallies.at(i);
    tally.calls += other.calls;
    tally.misrounded += other.misrounded;
    tally.undecided += other.undecided;
    tally.lost += other.lost;
    if (other.largest_error &&
        (!tally.largest_error || std::fabs(*other.largest_error) > std::fabs(*tally.largest_error))) {
      tally.largest_error = other.largest_error;
      tally.at = other.at;
    }
  }
  sum.faults.insert(sum.faults.end(), part.faults.begin(), part.faults.end());
  sum.more_faults += part.more_faults;
  sum.misrounded.add(part.misrounded);
  sum.arguments += part.arguments;
  sum.no_value += part.no_value;
  sum.no_values.insert(sum.no_values.end(), part.no_values.begin(), part.no_values.end());
  std::sort(sum.no_values.begin(), sum.no_values.end());
  sum.no_values.resize(std::min(sum.no_values.size(), most_no_values));
  sum.undecided += part.undecided;
  sum.by_mpfr += part.by_mpfr;
}

// Runs threads that take chunks until none is left, too many calls are lost, or a thread fails.
template <typename Bits>
AllFindings call_all(const AllArguments& all, const Encodings& encodings, const Chunks& chunks, unsigned threads,
                     const MakeCalledFunction& called,
                     const std::function<void(std::uint64_t, std::uint64_t)>& report) {
  AllFindings findings;
  std::array<Worst, directions.size()> worst;
  ListedResults listed(all.most_listed);
  DifferingResults differing;
  BrokenPromise broken;
  if (all.flags)
    findings.flags.emplace(encodings);
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stops = false;
  std::uint64_t done = 0;
  std::exception_ptr failure;
  std::mutex mutex; // guards what the threads share
  const auto work = [&] {
    const number::ThreadCaches caches;
    try {
      ChunkJudge<Bits> judge(all, encodings, called());
      for (std::size_t i = next++; i < chunks.list().size() && !stops; i = next++) {
        if (!judge.work(chunks.list()[i]))
          stops = true;
        const std::lock_guard lock(mutex);
        done += chunks.list()[i].count;
        report(done, chunks.arguments());
      }
      const std::lock_guard lock(mutex);
      add(findings, judge.findings);
      listed.add(judge.listed);
      differing.add(judge.other.found());
      if (findings.flags)
        findings.flags->add(*judge.findings.flags);
      broken.add(judge.broken, encodings);
      for (std::size_t i = 0; i < worst.size(); ++i)
        worst.at(i).add(judge.worst.at(i));
    } catch (...) {
      stops = true;
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
  };
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < threads; ++i)
    workers.emplace_back(work);
  for (std::thread& worker : workers)
    worker.join();
  if (failure)
    std::rethrow_exception(failure);
  findings.listed = listed.take(encodings);
  if (all.other)
    findings.differences = differing.take(encodings);
  findings.promise = broken.tested(all.promise, encodings);
  findings.not_called = chunks.arguments() - findings.arguments;
  for (const Direction direction : directions) {
    const auto i = static_cast<std::size_t>(direction);
    LibraryTally unused;
    std::uint64_t kept = 0;
    for (const Misrounded& one : worst.at(i).take())
      if (auto fault = judge_exactly(*all.function, encodings, one.argument, one.result, direction, unused)) {
        findings.faults.push_back(*std::move(fault));
        ++kept;
      }
    findings.more_faults += findings.tallies.at(i).misrounded - kept;
  }
  sort_faults(findings.faults);
  return findings;
}

} // namespace

AllFindings call_for_all(const AllArguments& all, unsigned threads, const MakeCalledFunction& called,
                         const std::function<void(std::uint64_t, std::uint64_t)>& report) {
  (void)short_encoding_bits(all.format);
  const Encodings encodings(all.format);
  const Chunks chunks(all, encodings);
  const bool is_short = encodings.sign() < std::uint64_t(1) << 16;
  return (is_short ? call_all<std::uint16_t> : call_all<std::uint32_t>)(all, encodings, chunks, threads, called,
                                                                        report);
}

bool AllFindings::is_right() const { return faults.empty() && more_faults == 0 && not_called == 0 && undecided == 0; }

} // namespace tmd::library
