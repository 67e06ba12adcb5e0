// How often a search plants hits among its batches: as often as costs next to nothing.
#pragma once

#include "support/stopwatch.hpp"

#include <chrono>

namespace tmd::engine {

class AuditShare {
public:
  // The first batch's is due.
  [[nodiscard]] bool is_due() const { return audits_ <= most * all_; }

  // Adds the time from its making to its end to that of the audits, or to that of all.
  class Timed {
  public:
    explicit Timed(double& sum) : sum_(sum) {}
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;
    ~Timed() { sum_ += support::seconds_since(start_); }

  private:
    double& sum_;
    const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  };
  [[nodiscard]] Timed audit() { return Timed(audits_); }
  [[nodiscard]] Timed batch() { return Timed(all_); }

private:
  static constexpr double most = 0.005; // of the time of all
  double audits_ = 0;                   // seconds
  double all_ = 0;
};

} // namespace tmd::engine
