// The polynomials of sub-intervals on a device.
#pragma once

#include "engine/launcher.hpp"
#include "engine/wide/batch.hpp"
#include "engine/wide/reference.hpp"

#include <array>
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

// The records of a batch's sub-intervals, each a polynomial (cl_kernels/wide/polynomial.clh): made on the device, and
// compared with the host's. What is in the buffer stays there until the next records are made or written.
class WideRecords {
public:
  // milliseconds: of a launch.
  WideRecords(std::shared_ptr<Launcher> launcher, std::int64_t milliseconds);
  WideRecords(const WideRecords&) = delete;
  WideRecords& operator=(const WideRecords&) = delete;
  ~WideRecords() { abandon(); }

  // Makes all records and compares neighbours, whose polynomials must meet, without waiting: the groups can follow at
  // once. options: the compiler's.
  void start(const WideBatch& batch, const std::string& options);
  // Waits for the records, if they were started. Throws FaultError if one is wrong.
  void finish(const WideBatch& batch);
  // Reads the records of the batch's sub-intervals from `first` on. Throws FaultError if they are not the host's.
  [[nodiscard]] std::vector<SubIntervalRecord> checked(const WideBatch& batch, std::uint32_t first,
                                                       std::uint32_t count);
  // Writes records from the number `at` on.
  void write(std::span<const SubIntervalRecord> records, std::size_t at);
  // Whether every record of a batch is compared with the host's, or only the last of each interval.
  void check_all(bool all) { check_all_ = all; }

  [[nodiscard]] const opencl::Buffer& buffer() const { return buffer_; }
  [[nodiscard]] const Stage& counts() const { return stage_.counts; }
  void reset_counts(const Stages& stages) { stage_.counts.reset_to(stages); }

private:
  void allocate(std::size_t count);
  void abandon();
  void read_last(const WideBatch& batch);
  void require_right(const WideBatch& batch, std::span<const SubIntervalRecord> made,
                     std::span<const SubIntervalPolynomial> expected) const;

  std::shared_ptr<Launcher> launcher_;
  LaunchedStage stage_;
  bool check_all_ = false;
  opencl::Buffer sources_; // holds source_words_
  opencl::Buffer buffer_;
  std::vector<std::uint64_t> source_words_;     // what the device reads while it makes records
  std::vector<Launcher::Launch> making_;        // running kernels that make them
  opencl::Buffer last_of_each_;                 // a copy of each interval's last record
  std::vector<SubIntervalRecord> last_records_; // its contents, read by the host
  std::optional<opencl::Event> reading_;        // the running read
};

} // namespace tmd::engine::wide
