// Hits planted among the domains of the existence tests: the device must find them without knowing of them.
#pragma once

#include "engine/audit_share.hpp"
#include "engine/domains/search.hpp"
#include "number/random.hpp"

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace tmd::engine::domains {

// Domains of a batch, shifted by constants, so that each has a hit.
struct PlantedDomains {
  DomainBatch batch;                // the planted domains, with coefficients
  std::vector<std::uint32_t> like;  // the domains of the batch that they were copied from
  std::vector<std::uint64_t> lines; // lines of those domains, unshifted
  std::vector<std::uint64_t> hits;  // arguments of the planted batch, sorted
};

// Plants `hits_of_each` hits in each of `domains` domains, anywhere in them or at their ends, closer than `closest` to
// a breakpoint, in units of 2^−64.
[[nodiscard]] PlantedDomains planted_domains(const DomainBatch& among, std::uint32_t domains,
                                             std::uint32_t hits_of_each, std::uint64_t closest, number::Random& random);

// Searches batches with planted hits: many before there are `from` domains of a kind, and a few behind a large batch's
// own domains, as often as the cost is negligible.
class PlantingDomains {
public:
  explicit PlantingDomains(DomainSearch& search, std::uint64_t from = std::uint64_t(1) << 13)
      : search_(search), from_(from) {}

  // The results of DomainSearch, and its stages. Throws FaultError if it does not find exactly the planted hits.
  [[nodiscard]] BatchResult search(const DomainBatch& batch, const Interrupt& interrupt = {});

private:
  void audit_shape(const DomainBatch& batch, const Interrupt& interrupt);
  void search_with_planted(const DomainBatch& batch, const Interrupt& interrupt, BatchResult& result);

  DomainSearch& search_;
  std::uint64_t from_;
  AuditShare share_;
  // Domains by test, log2 of arguments and of sub-domains, and whether exhaustively.
  std::map<std::tuple<int, int, int, bool>, std::uint64_t> searched_;
};

} // namespace tmd::engine::domains
