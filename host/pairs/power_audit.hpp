// Audits of searches by boxes: parts of a finished search are searched again, by other boxes or pair by pair, and must
// have the same cases.
#pragma once

#include "engine/engine.hpp"
#include "pairs/power_lines.hpp"
#include "result/run_description.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tmd::pairs {

// What was searched again, and the cases found there.
struct AuditedPairs {
  result::AuditReport report;
  std::vector<PairCase> cases;
};

// MPFR and Arb decide `most` pairs, drawn at random from these lines, or as many as they can in some seconds (0: no
// limit). Cases next to 1, which are not listed, are left out.
[[nodiscard]] AuditedPairs decide_random_pairs(const PairJob& job, const PowerLines& lines, const job::Coverage& of,
                                               std::uint64_t most, double seconds, unsigned threads, std::uint64_t seed,
                                               const engine::Interrupt& interrupted);

// Throws SoundnessError if an audit has found a case that the search has not, or the search one that the audit has not,
// although it has looked at the pair.
void require_same_cases(const PairJob& job, const std::vector<PairCase>& search, const AuditedPairs& audit,
                        const std::function<bool(const Operands&)>& looked_at);

} // namespace tmd::pairs
