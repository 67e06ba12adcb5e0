// The wide test on a device: groups, their candidates, and refused groups.
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

// The stages of WideSearch, in order.
inline constexpr std::array<Stage, 5> wide_stages{
    {{"wide_polynomials", "  on device", "sub-intervals", "sub-intervals", false},
     {"wide_groups", "wide test", "groups", "groups"},
     {"wide_refused", "  refused", "parts", "parts"},
     {"wide_refused_again", "  again", "runs", "runs"},
     {"wide_check", "  check", "candidates", "candidates"}}};

// The program with all kernels that are the same for every search; they take no macros.
inline constexpr const char* wide_scalar_program = "wide/scalar.cl";

// The file and name of the kernel that makes sub-intervals' polynomials, for coefficients of so many words.
struct WideShift {
  const char* program;
  std::vector<opencl::Macro> macros;
};
[[nodiscard]] WideShift wide_shift(int words);

// Compiler's options for the kernel that tests groups.
[[nodiscard]] std::string wide_groups_options(const Launcher& launcher, const device::Tunables& tunables);

// Searches sub-intervals of an interval: makes their polynomials, tests group by group, and decides candidates one by
// one. Refused groups are tested in parts, and a part that is refused again argument by argument. All survivors are
// counted, and a launch that keeps more than the capacity is run again in halves. Kernels are built and memory is
// allocated when first needed. Throws DeviceError if the device fails.
class WideSearch {
public:
  // Compaction is a scan or atomic; `automatic`: as the tunables say.
  WideSearch(std::shared_ptr<Launcher> launcher, const device::Tunables& tunables,
             Compaction compaction = Compaction::automatic);
  // A search with a launcher of its own.
  WideSearch(const opencl::DeviceDescription& device, const device::Tunables& tunables,
             Compaction compaction = Compaction::automatic);
  WideSearch(const WideSearch&) = delete;
  WideSearch& operator=(const WideSearch&) = delete;
  ~WideSearch() { abandon_records(); }

  // Selects unoptimized kernels (quick to compile, several times slower) or optimized ones from now on.
  void build_quickly(bool quickly) { quickly_ = quickly; }
  [[nodiscard]] bool builds_quickly() const { return quickly_; }
  // Compiler's options for kernels without special ones.
  [[nodiscard]] std::string build_options() const { return with_haste({}); }

  // Begins to build, on other threads, the kernels of every batch; and those for refused parts, which most large
  // searches need.
  void build_ahead();
  void build_refused_ahead();

  // The arguments of a batch that are close to a breakpoint, sorted, counted from the batch's first. `interrupt` is
  // called before every launch; Interrupted is thrown when it returns true. With `refused`, the numbers of refused
  // parts are appended there, counted from the batch's first, and nothing more is done with them.
  [[nodiscard]] std::vector<std::uint64_t> search(const WideBatch& batch, const Interrupt& interrupt = {},
                                                  std::vector<std::uint64_t>* refused = nullptr);

  // Whether every polynomial of a batch's sub-intervals is compared with the host's, or only the last of each interval.
  // A difference throws FaultError.
  void check_all_polynomials(bool all) { check_all_records_ = all; }

  // The steps of search(), for callers that have other records searched with a batch's, or instead of them
  // (engine/wide/plants.hpp). Makes all records and compares neighbours, whose polynomials must meet, without waiting:
  // the groups can follow at once.
  void start_records(const WideBatch& batch);
  // Waits for the records, if they were started. Throws FaultError if one is wrong.
  void finish_records(const WideBatch& batch);
  // Reads the records of the batch's sub-intervals from `first` on. Throws FaultError if they are not the host's.
  [[nodiscard]] std::vector<SubIntervalRecord> checked_records(const WideBatch& batch, std::uint32_t first,
                                                               std::uint32_t count);
  // Writes records from the number `at` on.
  void write_records(std::span<const SubIntervalRecord> records, std::size_t at);
  // The places among the arguments of all records that are close to a breakpoint, sorted.
  [[nodiscard]] std::vector<std::uint64_t> search_records(const WideBatch& batch,
                                                          std::vector<std::uint64_t>* refused = nullptr);

  // Most sub-intervals of a batch: those that fit into the memory of the tunable's domains, or less if the device has
  // little.
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
  std::atomic<bool> quickly_ = false; // read by threads that build ahead
  bool check_all_records_ = false;
  LaunchedStage polynomials_;
  LaunchedStage groups_;
  LaunchedStage parts_;
  LaunchedStage again_;
  LaunchedStage check_;
  opencl::Buffer sources_;                      // holds source_words_
  opencl::Buffer records_;                      // of the batch's sub-intervals (cl_kernels/wide/polynomial.clh)
  opencl::Buffer found_;                        // candidates of groups and parts: arguments
  opencl::Buffer refused_;                      // numbers of refused parts
  opencl::Buffer swept_;                        // first arguments of parts refused again
  std::vector<std::uint64_t> source_words_;     // what the device reads while it makes records
  std::vector<Launcher::Launch> making_;        // running kernels that make them
  opencl::Buffer last_of_each_;                 // a copy of each interval's last record
  std::vector<SubIntervalRecord> last_records_; // its contents, read by the host
  std::optional<opencl::Event> reading_;        // the running read
  std::vector<std::uint64_t> candidates_;
};

} // namespace tmd::engine::wide
