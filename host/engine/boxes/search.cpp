// The three stages: rows give hits, the filter evaluates F at each hit, and boxes that a row refused are searched by
// their lines. A slice of a launch whose lists were too short is run again in halves.
#include "engine/boxes/search.hpp"

#include "engine/boxes/tables.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace tmd::engine::boxes {

namespace {

constexpr const char* box_walk_program = "boxes/walk.cl";
constexpr const char* box_pairs_program = "boxes/pairs.cl";
constexpr std::int64_t box_group_size = 32;
constexpr std::uint64_t first_box_items = 1 << 12;
constexpr std::uint64_t pairs_of_share = (1 << 20) / layout::shares + 1; // share of the largest box
constexpr std::int64_t walk_registers = 80; // a work-item; 2 % faster on an H200 than its compiler's 107
// Floats only decide, with far more margin than flushed denormals need.
constexpr std::string_view box_options = "-cl-denorms-are-zero";

template <typename T> void upload_words(opencl::Compute& compute, opencl::Buffer& buffer, std::span<const T> values) {
  if (values.size_bytes() > buffer.bytes()) {
    buffer = {}; // frees the old buffer first
    buffer = compute.allocate(std::max<std::size_t>(values.size_bytes(), 1 << 12));
  }
  if (!values.empty())
    compute.write(buffer, values.data(), values.size_bytes());
}

std::uint32_t sum_of(std::span<const std::uint64_t> entries) {
  return std::accumulate(entries.begin(), entries.end(), std::uint32_t(0),
                         [](std::uint32_t sum, std::uint64_t entry) { return sum + Launcher::entry_sum(entry); });
}

} // namespace

BoxSearch::BoxSearch(std::shared_ptr<Launcher> launcher, std::int64_t launch_milliseconds)
    : launcher_(std::move(launcher)), walk_(box_stages[0], box_group_size, first_box_items, launch_milliseconds),
      filter_(box_stages[1], box_group_size, first_box_items, launch_milliseconds),
      pairs_(box_stages[2], box_group_size, first_box_items, launch_milliseconds), table_words_(power_tables()) {
  if (!launcher_->device().has_fp64())
    throw UsageError("the device has no FP64, which the search of pairs needs");
  walk_.lists = 2;
  upload_words(launcher_->compute(), tables_, std::span<const std::uint64_t>(table_words_));
}

void BoxSearch::use_tiles(std::vector<std::uint64_t> polynomials) {
  kind_ = SurfaceKind::tile;
  table_words_ = std::move(polynomials);
  upload_words(launcher_->compute(), tables_, std::span<const std::uint64_t>(table_words_));
}

// Each stage has the name of its kernel.
opencl::Kernel& BoxSearch::build(const LaunchedStage& stage, const std::string& file, std::string_view options) {
  std::vector<opencl::Macro> macros;
  if (kind_ == SurfaceKind::tile)
    macros.push_back({"TMD_TILES", 1, 1, 1});
  else if (uploaded_.front().kernel.x_sign != 0)
    macros.push_back({"TMD_COMPOUND", 1, 1, 1});
  return launcher_->build(stage.counts.name, file, std::string(stage.counts.name), std::move(macros), options);
}

void BoxSearch::reset_stages() {
  for (LaunchedStage* stage : {&walk_, &filter_, &pairs_})
    stage->counts.reset_to({});
}

// Uploads the strips that are walked by boxes, or those that are not; returns the number of their items.
std::uint64_t BoxSearch::upload(std::span<const PowerStrip> strips, bool are_walked) {
  uploaded_.clear();
  numbers_.clear();
  std::uint64_t items = 0;
  std::vector<layout::box_strip> kernels;
  for (std::size_t i = 0; i < strips.size(); ++i) {
    if (strips[i].is_walked != are_walked)
      continue;
    uploaded_.push_back(strips[i]);
    uploaded_.back().kernel.first_item = items;
    if ((uploaded_.back().kernel.x_sign == 0) != (uploaded_.front().kernel.x_sign == 0))
      throw std::invalid_argument("strips of x^y and of (1 + x)^y are not searched together");
    kernels.push_back(uploaded_.back().kernel);
    numbers_.push_back(static_cast<std::uint32_t>(i));
    items += strips[i].items();
  }
  upload_words(launcher_->compute(), strips_, std::span<const layout::box_strip>(kernels));
  return items;
}

std::vector<BoxCandidate> BoxSearch::search(std::span<const PowerStrip> strips, const Interrupt& interrupt) {
  if (strips.size() > most_strips)
    throw std::invalid_argument("more strips than an entry can tell apart");
  launcher_->set_interrupt(interrupt);
  std::vector<BoxCandidate> result;
  const auto deliver = [&] {
    for (const std::uint64_t entry : found_) {
      const std::uint64_t strip = entry >> (2 * layout::pair_bits);
      result.push_back({numbers_.at(strip), pair_of(uploaded_.at(strip).kernel, entry)});
    }
  };
  for (const bool are_walked : {true, false}) {
    found_.clear();
    const std::uint64_t items = upload(strips, are_walked);
    if (items == 0)
      continue;
    if (are_walked) {
      std::vector<std::uint64_t> refused;
      walk_items(items, refused, [&](const Launcher::Counters& kept) { filter(kept); });
      if (!refused.empty())
        look_at_pairs(refused.size(), &refused);
    } else {
      look_at_pairs(items, nullptr);
    }
    deliver();
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

BoxSearch::Walk BoxSearch::walk(std::span<const PowerStrip> strips) {
  Walk result;
  found_.clear();
  const std::uint64_t items = upload(strips, true);
  walk_items(items, result.refused,
             [&](const Launcher::Counters& kept) { (void)launcher_->append_kept(walk_.kept, kept, result.hits); });
  std::sort(result.hits.begin(), result.hits.end());
  std::sort(result.refused.begin(), result.refused.end());
  return result;
}

template <typename Take>
void BoxSearch::walk_items(std::uint64_t items, std::vector<std::uint64_t>& refused, Take take) {
  launcher_->allocate_list(walk_.kept, sizeof(std::uint64_t));
  launcher_->allocate_list(refused_, sizeof(std::uint64_t));
  const std::string options = fmt::format("{} {}", box_options, launcher_->register_limit(walk_registers));
  for (Sweep sweep(*launcher_, walk_, 0, items); const auto slice = sweep.next();) {
    opencl::Kernel& kernel = build(walk_, box_walk_program, options);
    kernel.set(tables_, strips_, static_cast<std::uint32_t>(uploaded_.size()), walk_.kept, refused_, *slice,
               launcher_->counters());
    if (const auto kept = sweep.run({kernel, 1})) {
      walk_.counts.tested += kept->count[2];
      walk_.counts.kept += kept->count[0];
      (void)launcher_->append_kept(refused_, *kept, refused, 1);
      if (kept->count[0] > 0)
        take(*kept);
    } else if (sweep.overflowed()) {
      std::vector<std::uint64_t> hits;
      walk_.counts.tested += walk_on_host(slice->first, hits, refused);
      const PowerStrip& strip = uploaded_.at(hits.empty() ? 0 : hits.front() >> (2 * layout::pair_bits));
      for (const std::uint64_t hit : hits)
        if (pair_may_be_case(tables(), strip.kernel, hit))
          found_.push_back(hit);
    }
  }
}

// Filters the hits that the walk has just listed, which stay on the device.
void BoxSearch::filter(const Launcher::Counters& hits) {
  launcher_->allocate_list(filter_.kept, sizeof(std::uint64_t));
  for (Sweep sweep(*launcher_, filter_, 0, hits.count[0], 1, hits.sum[0]); const auto slice = sweep.next();) {
    opencl::Kernel& kernel = build(filter_, box_pairs_program, box_options);
    kernel.set(tables_, strips_, walk_.kept, filter_.kept, *slice, launcher_->counters());
    if (const auto kept = sweep.run({kernel, 1})) {
      filter_.counts.tested += slice->count;
      filter_.counts.kept += kept->count[0];
      (void)launcher_->append_kept(filter_.kept, *kept, found_);
    }
  }
}

// Looks at the shares of `count` listed boxes, or of items of strips.
void BoxSearch::look_at_pairs(std::uint64_t count, const std::vector<std::uint64_t>* listed) {
  launcher_->allocate_list(pairs_.kept, sizeof(std::uint64_t));
  upload_words(launcher_->compute(), listed_,
               listed == nullptr ? std::span<const std::uint64_t>() : std::span<const std::uint64_t>(*listed));
  std::optional<std::uint32_t> read_sum;
  if (listed != nullptr)
    read_sum = layout::shares * sum_of(*listed);
  for (Sweep sweep(*launcher_, pairs_, 0, count * layout::shares, pairs_of_share, read_sum);
       const auto slice = sweep.next();) {
    opencl::Kernel& kernel = build(pairs_, box_pairs_program, box_options);
    kernel.set(tables_, strips_, static_cast<std::uint32_t>(uploaded_.size()), listed_,
               static_cast<std::uint32_t>(listed != nullptr ? 1 : 0), pairs_.kept, *slice, launcher_->counters());
    if (const auto kept = sweep.run({kernel, 1})) {
      pairs_.counts.kept += kept->count[0];
      (void)launcher_->append_kept(pairs_.kept, *kept, found_);
    }
  }
  pairs_.counts.tested += count;
}

std::uint64_t BoxSearch::walk_on_host(std::uint64_t item, std::vector<std::uint64_t>& hits,
                                      std::vector<std::uint64_t>& refused) const {
  const auto behind =
      std::upper_bound(uploaded_.begin(), uploaded_.end(), item,
                       [](std::uint64_t at, const auto& strip) { return at < strip.kernel.first_item; });
  const auto& strip = *(behind - 1);
  const std::uint64_t in_strip = item - strip.kernel.first_item;
  const auto row = static_cast<std::uint32_t>(in_strip % strip.rows());
  const auto part = static_cast<std::uint32_t>(in_strip / strip.rows());
  RowHits walked =
      walk_row_on_host(tables(), strip.kernel, static_cast<std::uint32_t>(behind - 1 - uploaded_.begin()), row, part);
  hits = std::move(walked.hits);
  for (const std::int32_t box : walked.refused)
    refused.push_back(layout::refused_entry(strip.kernel.first_item + row, box));
  return walked.boxes;
}

} // namespace tmd::engine::boxes
