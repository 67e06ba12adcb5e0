#include "result/cases.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tmd {

namespace {

constexpr std::size_t most_merged = 256;   // runs at once
constexpr std::size_t cases_at_once = 512; // that are written, and read of each run

bool is_before(CaseOrder order, const Case& left, const Case& right) {
  return order == CaseOrder::hardest ? is_harder(left, right) : compare(left.x, right.x) < 0;
}

// A case as it stands in a file.
struct StoredCase {
  std::uint64_t high = 0; // of the significand
  std::uint64_t low = 0;
  double bits = 0;
  std::int32_t unit_exponent = 0;
  bool negative = false;
  std::uint8_t breakpoint = 0;
  std::uint8_t kind = 0;
};
static_assert(sizeof(StoredCase) == 32);

StoredCase stored(const Case& one) {
  return {static_cast<std::uint64_t>(one.x.significand >> 64),
          static_cast<std::uint64_t>(one.x.significand),
          one.bits,
          one.x.unit_exponent,
          one.x.negative,
          static_cast<std::uint8_t>(one.breakpoint),
          static_cast<std::uint8_t>(one.kind)};
}

Case restored(const StoredCase& one) {
  return {{one.negative, uint128(one.high) << 64 | one.low, one.unit_exponent},
          one.bits,
          static_cast<Breakpoint>(one.breakpoint),
          static_cast<Case::Kind>(one.kind)};
}

} // namespace

// Sorted cases, one after the other: of a run, or in memory.
class Cases::Source {
public:
  explicit Source(Run run) : rest_(std::move(run)) { next(); }
  explicit Source(std::span<const Case> cases) : here_(cases) {}

  // Null at the end.
  [[nodiscard]] const Case* now() const { return here_.empty() ? nullptr : &here_.front(); }
  void next() {
    if (!here_.empty())
      here_ = here_.subspan(1);
    if (!here_.empty() || rest_.count == 0)
      return;
    std::array<StoredCase, cases_at_once> block;
    const std::span read = std::span(block).first(std::min(rest_.count, cases_at_once));
    rest_.file->read(rest_.offset, std::as_writable_bytes(read));
    rest_.offset += read.size_bytes();
    rest_.count -= read.size();
    buffer_.clear();
    std::transform(read.begin(), read.end(), std::back_inserter(buffer_), restored);
    here_ = buffer_;
  }

private:
  Run rest_; // that is not in the buffer
  std::vector<Case> buffer_;
  std::span<const Case> here_;
};

// Several sources as one.
class Cases::Merged {
  struct Later {
    CaseOrder order;
    bool operator()(const Source* left, const Source* right) const {
      return is_before(order, *right->now(), *left->now());
    }
  };

public:
  Merged(CaseOrder order, std::span<const Run> runs, std::span<const Case> recent) : later_{order} {
    sources_.reserve(runs.size() + 1); // they do not move: some point into their own buffer
    for (const Run& run : runs)
      sources_.emplace_back(run);
    sources_.emplace_back(recent);
    for (Source& source : sources_)
      if (source.now() != nullptr)
        heap_.push_back(&source);
    std::make_heap(heap_.begin(), heap_.end(), later_);
  }

  // The first of those that were not passed over; null at the end.
  [[nodiscard]] const Case* now() const { return heap_.empty() ? nullptr : heap_.front()->now(); }
  void next() {
    if (heap_.size() > 1)
      std::pop_heap(heap_.begin(), heap_.end(), later_);
    heap_.back()->next();
    if (heap_.back()->now() == nullptr)
      heap_.pop_back();
    else if (heap_.size() > 1)
      std::push_heap(heap_.begin(), heap_.end(), later_);
  }

private:
  Later later_;
  std::vector<Source> sources_;
  std::vector<Source*> heap_; // that are not at their end, the first case's on top
};

// Writes a run of as many sorted cases as are said beforehand.
class Cases::RunWriter {
public:
  RunWriter(const std::shared_ptr<ScratchFile>& file, std::size_t count)
      : file_(file), run_{file, file->reserve(count * sizeof(StoredCase)), count}, next_(run_.offset) {}

  void push_back(const Case& one) {
    block_[filled_++] = stored(one);
    if (filled_ == block_.size())
      write();
  }
  [[nodiscard]] Run finish() {
    write();
    return run_;
  }

private:
  void write() {
    const auto bytes = std::as_bytes(std::span(block_).first(filled_));
    file_->write(next_, bytes);
    next_ += bytes.size();
    filled_ = 0;
  }

  std::shared_ptr<ScratchFile> file_;
  Run run_;
  std::uint64_t next_; // where the block goes
  std::array<StoredCase, cases_at_once> block_;
  std::size_t filled_ = 0;
};

Cases::Cases(CaseOrder order, CaseRoom room) : order_(order), room_(std::move(room)) {}

Cases& Cases::operator=(std::span<const Case> cases) {
  clear();
  for (const Case& one : cases)
    push_back(one);
  sort();
  return *this;
}

void Cases::push_back(const Case& one) {
  if (recent_.size() >= room_.most_in_memory)
    spill();
  recent_.push_back(one);
}

void Cases::add(Cases&& others) {
  if (others.order_ == order_) {
    runs_.insert(runs_.end(), others.runs_.begin(), others.runs_.end());
    if (recent_.empty() && others.recent_.size() <= room_.most_in_memory)
      recent_.swap(others.recent_);
    for (const Case& one : others.recent_)
      push_back(one);
  } else {
    for (const Case& one : others)
      push_back(one);
  }
  others.clear();
}

void Cases::sort() {
  join_runs();
  std::sort(recent_.begin(), recent_.end(),
            [this](const Case& left, const Case& right) { return is_before(order_, left, right); });
}

void Cases::clear() {
  runs_.clear();
  recent_ = {};
}

const std::shared_ptr<ScratchFile>& Cases::file() {
  if (!room_.file)
    room_.file = std::make_shared<ScratchFile>();
  return room_.file;
}

// What is in memory becomes a run.
void Cases::spill() {
  std::sort(recent_.begin(), recent_.end(),
            [this](const Case& left, const Case& right) { return is_before(order_, left, right); });
  RunWriter run(file(), recent_.size());
  for (const Case& one : recent_)
    run.push_back(one);
  runs_.push_back(run.finish());
  recent_.clear();
}

// Of many runs fewer, as can be merged at once.
void Cases::join_runs() {
  while (runs_.size() > most_merged) {
    std::vector<Run> joined;
    for (std::span<const Run> rest = runs_; !rest.empty();) {
      const std::span<const Run> some = rest.first(std::min(rest.size(), most_merged));
      rest = rest.subspan(some.size());
      std::size_t count = 0;
      for (const Run& run : some)
        count += run.count;
      RunWriter run(file(), count);
      for (Merged merged(order_, some, {}); merged.now() != nullptr; merged.next())
        run.push_back(*merged.now());
      joined.push_back(run.finish());
    }
    runs_ = std::move(joined);
  }
}

std::size_t Cases::size() const {
  std::size_t count = recent_.size();
  for (const Run& run : runs_)
    count += run.count;
  return count;
}

Cases::Iterator Cases::begin() const { return Iterator(std::make_shared<Merged>(order_, runs_, recent_)); }

Cases::Iterator Cases::end() { return {}; }

Case Cases::front() const { return *begin(); }

Cases Cases::in(CaseOrder order) const {
  if (order == order_)
    return *this;
  Cases others(order, room_);
  for (const Case& one : *this)
    others.push_back(one);
  others.sort();
  return others;
}

std::vector<Case> Cases::to_vector() const {
  std::vector<Case> all;
  all.reserve(size());
  for (const Case& one : *this)
    all.push_back(one);
  return all;
}

Cases::Iterator::Iterator(std::shared_ptr<Merged> merged) : merged_(std::move(merged)), now_(merged_->now()) {}

Cases::Iterator& Cases::Iterator::operator++() {
  merged_->next();
  now_ = merged_->now();
  return *this;
}

Findings::Findings(const CaseRoom& room)
    : cases(CaseOrder::hardest, room), exact(CaseOrder::argument, room), undecided(CaseOrder::argument, room) {}

void Findings::add(const Case& found) {
  switch (found.kind) {
  case Case::Kind::hard:
    cases.push_back(found);
    break;
  case Case::Kind::exact:
    exact.push_back(found);
    break;
  case Case::Kind::undecided:
    undecided.push_back(found);
    break;
  }
}

void Findings::add(std::span<const Case> found) {
  for (const Case& one : found)
    add(one);
}

void Findings::add(Findings&& others) {
  cases.add(std::move(others.cases));
  exact.add(std::move(others.exact));
  undecided.add(std::move(others.undecided));
}

void Findings::sort() {
  cases.sort();
  exact.sort();
  undecided.sort();
}

} // namespace tmd
