// How often a search plants hits among its batches: as often as the cost is negligible.
#pragma once

#include "support/stopwatch.hpp"

#include <chrono>

namespace tmd::engine {

class AuditShare {
public:
  // True for the first batch.
  [[nodiscard]] bool is_due() const { return audits_ <= most * all_; }

  // Adds the time of its own lifetime to that of the batches with planted hits, or to the total.
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
  static constexpr double most = 0.005; // share of the total time
  double audits_ = 0;                   // seconds
  double all_ = 0;
};

} // namespace tmd::engine
