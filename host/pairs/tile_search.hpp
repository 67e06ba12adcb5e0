// Searches an expression of x and y over ranges of both, on a device: tiles of pairs with a polynomial each, whose
// boxes the device searches; MPFR and Arb examine the candidates.
#pragma once

#include "engine/boxes/search.hpp"
#include "engine/boxes/tiles.hpp"
#include "pairs/pair_job.hpp"
#include "tmd/progress.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tmd::pairs {

// The numbers of a range "FROM:TO", without TO and without 0, as one operand for each sign and binade. Throws
// UsageError, naming the option, for a text that is no range, or an empty one.
[[nodiscard]] std::vector<engine::boxes::TileOperand> operands_of_range(const std::string& range, const Format& format,
                                                                        const std::string& option);

// Throws UsageError unless tiles serve the format and K.
void check_tiles_serve(const PairJob& job);

struct TileHooks {
  std::function<void(const Progress&)> progress = [](const Progress&) {};
  engine::Interrupt interrupted = {};
  unsigned threads = 1;
  double most_cases = 1e7; // more are refused
};

// Searches all pairs of these operands. Throws UsageError where too much of the rectangle is next to a place where the
// expression has no polynomial, or if there are more cases than allowed; DeviceError, FaultError, Interrupted.
[[nodiscard]] PairResult search_tiles(const PairJob& job, const function::Formula& formula,
                                      const std::vector<engine::boxes::TileOperand>& x,
                                      const std::vector<engine::boxes::TileOperand>& y,
                                      engine::boxes::BoxSearch& device, const TileHooks& hooks);

} // namespace tmd::pairs
