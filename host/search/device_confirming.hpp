// The threads of a device worker that confirm: MPFR decides the candidates, and results are delivered.
#pragma once

#include "search/bounded_queue.hpp"
#include "search/confirming.hpp"
#include "search/device_work.hpp"

#include <atomic>
#include <string>

namespace tmd::searches {

// May be used by several threads at once.
class DeviceWorker::Confirming {
public:
  Confirming(const DeviceWorker& worker, const job::Job& job, PartExchange& exchange, BoundedQueue<Work>& searched)
      : worker_(worker), job_(job), exchange_(exchange), confirmation_(*job.function, job.grid(), job.K),
        searched_(searched) {}

  // Runs until no more batches come. Throws FaultError for a candidate that the test cannot have kept.
  void confirm_searched();

private:
  [[nodiscard]] std::string outlier_sentence(const Outlier& outlier, const function::Function& function, double reach,
                                             const Work& work) const;

  const DeviceWorker& worker_;
  const job::Job& job_;
  PartExchange& exchange_;
  const verify::Confirmation confirmation_;
  BoundedQueue<Work>& searched_;
  std::atomic<unsigned> confirming_ = 0; // threads that are confirming now
};

} // namespace tmd::searches
