// Hits planted among the domains of the existence tests: what a device must find, though nobody told it.
#pragma once

#include "engine/domains/batch.hpp"
#include "number/random.hpp"

#include <cstdint>
#include <vector>

namespace tmd {

// Domains of a batch, shifted by constants, so that each has a hit.
struct PlantedDomains {
  DomainBatch batch;                // with coefficients, of so many domains
  std::vector<std::uint32_t> like;  // numbers of the domains in the batch that they are taken from
  std::vector<std::uint64_t> lines; // of those, as they were
  std::vector<std::uint64_t> hits;  // arguments of the planted batch, sorted
};

// `hits_of_each` hits in each of `domains` domains, anywhere in them or at their ends, closer than `closest` to a
// breakpoint, in units of 2^−64.
[[nodiscard]] PlantedDomains planted_domains(const DomainBatch& among, std::uint32_t domains,
                                             std::uint32_t hits_of_each, std::uint64_t closest, Random& random);

} // namespace tmd
