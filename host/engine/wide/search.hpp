// The wide test on a device: groups, their candidates, and what it refuses.
#pragma once

#include "device/tunables.hpp"
#include "engine/launcher.hpp"
#include "engine/wide/batch.hpp"
#include "engine/wide/constants.hpp"
#include "engine/wide/reference.hpp"
#include "engine/wide/tunables.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tmd::engine::wide {

// What the searches below count, in this order.
inline constexpr std::array<Stage, 5> wide_stages{
    {{"wide_polynomials", "  on device", "sub-intervals", "sub-intervals", false},
     {"wide_groups", "wide test", "groups", "groups"},
     {"wide_refused", "  refused", "parts", "parts"},
     {"wide_refused_again", "  again", "runs", "runs"},
     {"wide_check", "  check", "candidates", "candidates"}}};

// All kernels that are the same for every search; they take no macros.
inline constexpr const char* wide_scalar_program = "wide/scalar.cl";

// Where the kernel stands that makes sub-intervals' polynomials, for coefficients of so many words.
struct WideShift {
  const char* program;
  std::vector<opencl::Macro> macros;
};
[[nodiscard]] WideShift wide_shift(int words);

// Compiler's options for the kernel that tests groups.
[[nodiscard]] std::string wide_groups_options(const Launcher& launcher, const device::Tunables& tunables);

// Searches sub-intervals of an interval: makes their polynomials, tests group by group, and decides over candidates one
// by one. What the test refuses of a group is taken up in parts, and a part that is refused again argument by argument.
// All that is kept is counted, and a launch that keeps more than the capacity is run again in halves. Kernels are built
// and memory is taken when first needed. Throws DeviceError when the device fails.
class WideSearch {
public:
  // Compaction: scan, or else atomic; automatic is what the tunables say.
  WideSearch(std::shared_ptr<Launcher> launcher, const device::Tunables& tunables,
             Compaction compaction = Compaction::automatic);
  // With a launcher of its own.
  WideSearch(const opencl::DeviceDescription& device, const device::Tunables& tunables,
             Compaction compaction = Compaction::automatic);
  WideSearch(const WideSearch&) = delete;
  WideSearch& operator=(const WideSearch&) = delete;
  ~WideSearch() { abandon_records(); }

  // From now on, kernels as compilers make them in a fraction of the time, which take several times as long; or again
  // those that take least.
  void build_quickly(bool quickly) { quickly_ = quickly; }
  [[nodiscard]] bool builds_quickly() const { return quickly_; }
  // Compiler's options for the kernels that need none for themselves.
  [[nodiscard]] std::string build_options() const { return with_haste({}); }

  // Begins to build what every batch needs, on other threads; and what most large searches need, for refused parts.
  void build_ahead();
  void build_refused_ahead();

  // The arguments of a batch that are close to a breakpoint, sorted, counted from the batch's first. `interrupt` is
  // asked before every launch; Interrupted is thrown when it says so. With `refused`, the numbers of parts that are
  // refused are appended there, counted from the batch's first, and nothing more is done with them.
  [[nodiscard]] std::vector<std::uint64_t> search(const WideBatch& batch, const Interrupt& interrupt = {},
                                                  std::vector<std::uint64_t>* refused = nullptr);

  // Whether every polynomial of a batch's sub-intervals is compared with the host's, or only the last of each interval.
  // A difference throws FaultError.
  void check_all_polynomials(bool all) { check_all_records_ = all; }

  // What search() does step by step, for those who have other records searched with a batch's, or instead of them
  // (engine/wide/plants.hpp). Makes all records, and compares neighbours, which must meet: without waiting, the groups
  // can follow at once.
  void start_records(const WideBatch& batch);
  // Waits for them, if they were started. Throws FaultError where one is wrong.
  void finish_records(const WideBatch& batch);
  // Records that the device has made of the batch's sub-intervals from `first` on. Throws FaultError when they are not
  // the host's.
  [[nodiscard]] std::vector<SubIntervalRecord> checked_records(const WideBatch& batch, std::uint32_t first,
                                                               std::uint32_t count);
  // From the record of that number on.
  void write_records(std::span<const SubIntervalRecord> records, std::size_t at);
  // The places among the arguments of all records that are close to a breakpoint, sorted.
  [[nodiscard]] std::vector<std::uint64_t> search_records(const WideBatch& batch,
                                                          std::vector<std::uint64_t>* refused = nullptr);

  // Sub-intervals that a batch may have: in the memory of the tunable's domains, or less where the device has little.
  [[nodiscard]] std::uint64_t batch_sub_intervals() const;

  // Work since construction or the last reset.
  [[nodiscard]] Stages stages() const;
  void reset_stages(const Stages& stages = {});

  [[nodiscard]] const opencl::DeviceDescription& device() const { return launcher_->device(); }
  [[nodiscard]] const std::shared_ptr<Launcher>& launcher() const { return launcher_; }
  [[nodiscard]] const device::Tunables& tunables() const { return tunables_; }

private:
  void allocate_records(std::size_t count);
  void abandon_records();
  void read_last_records(const WideBatch& batch);
  void require_right(const WideBatch& batch, std::span<const SubIntervalRecord> made,
                     std::span<const SubIntervalPolynomial> expected) const;
  void test_groups(const WideBatch& batch, std::vector<std::uint64_t>* refused);
  void keep(const WideBatch& batch, const Launcher::Counters& kept, Stage& counts);
  // sum: of the list's entries, as the kernel that wrote them has it.
  void check_candidates(const WideBatch& batch, std::uint32_t count, std::uint32_t sum);
  void test_parts(const WideBatch& batch, std::uint32_t count, std::uint32_t sum);
  void every_argument(const WideBatch& batch, int bits, std::uint32_t count, std::uint32_t sum);
  void every_argument_at(const WideBatch& batch, int bits, std::uint64_t first);
  void runs(const WideBatch& batch, int bits, std::uint64_t first, std::uint64_t count, int run_bits,
            std::optional<std::uint32_t> read_sum);
  [[nodiscard]] std::string with_haste(std::string options) const;
  [[nodiscard]] opencl::Kernel& build(const LaunchedStage& stage, const char* program, const char* name,
                                      const std::vector<opencl::Macro>& macros = {}, std::string_view options = {});
  [[nodiscard]] std::vector<opencl::Macro> test_macros() const;
  [[nodiscard]] std::vector<opencl::Macro> group_macros() const;
  [[nodiscard]] bool sorts() const;

  std::shared_ptr<Launcher> launcher_;
  const device::Tunables tunables_;
  Compaction compaction_;
  std::atomic<bool> quickly_ = false; // read by those who build ahead
  bool check_all_records_ = false;
  LaunchedStage polynomials_;
  LaunchedStage groups_;
  LaunchedStage parts_;
  LaunchedStage again_;
  LaunchedStage check_;
  opencl::Buffer sources_;                      // as source_words_
  opencl::Buffer records_;                      // of the batch's sub-intervals (cl_kernels/wide/polynomial.clh)
  opencl::Buffer found_;                        // candidates of groups and parts: arguments
  opencl::Buffer refused_;                      // parts, by their numbers
  opencl::Buffer swept_;                        // parts refused again, by their first arguments
  std::vector<std::uint64_t> source_words_;     // what the device reads while it makes records
  std::vector<Launcher::Launch> making_;        // kernels that do, on their way,
  opencl::Buffer last_of_each_;                 // a copy of each interval's last record,
  std::vector<SubIntervalRecord> last_records_; // which is read,
  std::optional<opencl::Event> reading_;        // and may be on its way, too
  std::vector<std::uint64_t> candidates_;
};

} // namespace tmd::engine::wide
