#include "engine/domains/plants.hpp"

#include "engine/domains/reference.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace tmd {

namespace {

struct Coefficients {
  std::array<std::uint64_t, 1> line{};
  std::array<std::uint64_t, 1> slope{};
  std::array<std::int64_t, 1> curvature{};
};

Coefficients coefficients_of(const DomainBatch& batch, std::uint32_t domain) {
  Coefficients result;
  if (batch.polynomial)
    batch.polynomial->generate(batch.first_packet * batch.polynomial->packet_size() + domain, 1,
                               {result.line, result.slope, result.curvature});
  else
    result = {{batch.lines[domain]}, {batch.slopes[domain]}, {batch.curvatures[domain]}};
  return result;
}

} // namespace

PlantedDomains planted_domains(const DomainBatch& among, std::uint32_t domains, std::uint32_t hits_of_each,
                               std::uint64_t closest, Random& random) {
  PlantedDomains result;
  DomainBatch& batch = result.batch;
  batch.parameters = among.parameters;
  const std::uint64_t size = std::uint64_t(1) << among.parameters.domain_bits;
  // A device makes whole packets, which may reach far beyond the interval: the ledger's bounds do not hold there.
  const std::uint64_t own =
      std::min<std::uint64_t>(among.domain_count(), (among.parameters.argument_limit - 1) / size + 1);
  for (std::uint32_t i = 0; i < domains; ++i) {
    const auto like = static_cast<std::uint32_t>(random.below(own));
    const Coefficients of = coefficients_of(among, like);
    for (std::uint32_t hit = 0; hit < hits_of_each; ++hit) {
      constexpr std::uint64_t kinds = 8;
      const std::uint64_t kind = random.below(kinds);
      const std::uint64_t m = kind == 0 ? 0 : kind == 1 ? size - 1 : random.below(size);
      const std::uint64_t value = random.around_zero(closest);
      const std::uint64_t off = value - value_in_domain(of.line[0], of.slope[0], of.curvature[0], among.parameters, m);
      result.hits.push_back(batch.lines.size() * size + m);
      result.like.push_back(like);
      result.lines.push_back(of.line[0]);
      batch.lines.push_back(of.line[0] + off);
      batch.slopes.push_back(of.slope[0]);
      batch.curvatures.push_back(of.curvature[0]);
    }
  }
  batch.parameters.argument_limit = batch.lines.size() * size;
  return result;
}

} // namespace tmd
