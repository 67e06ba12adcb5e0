// A domain is copied and its constant shifted, so that one of its arguments becomes a hit. The host searches the
// planted domains, too, which tells what every phase must keep of them.
#include "engine/domains/plants.hpp"

#include "engine/domains/reference.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace tmd::engine::domains {

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

constexpr std::uint32_t planted_behind = 4; // domains, compared with many thousands of a batch

} // namespace

PlantedDomains planted_domains(const DomainBatch& among, std::uint32_t domains, std::uint32_t hits_of_each,
                               std::uint64_t closest, number::Random& random) {
  PlantedDomains result;
  DomainBatch& batch = result.batch;
  batch.parameters = among.parameters;
  const std::uint64_t size = std::uint64_t(1) << among.parameters.domain_bits;
  // A device makes whole packets, which may reach far beyond the interval, where the ledger's bounds do not hold.
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

BatchResult PlantingDomains::search(const DomainBatch& batch, const Interrupt& interrupt) {
  constexpr std::uint32_t fewest_domains = planted_behind << 12;
  constexpr std::uint64_t numbers = std::uint64_t(1) << 32; // most numbers that sub-domains may have
  audit_shape(batch, interrupt);
  const AuditShare::Timed all = share_.batch();
  search_.reset_stages();
  BatchResult result;
  if (share_.is_due() && batch.domain_count() >= fewest_domains &&
      (std::uint64_t(batch.domain_count()) + planted_behind) << batch.parameters.split_bits <= numbers) {
    search_with_planted(batch, interrupt, result);
  } else {
    result.candidates = search_.search(batch, nullptr, interrupt);
    result.stages = search_.stages();
  }
  return result;
}

// Called before the batch with which there are many domains of a kind: more than a thousand hits are planted in domains
// like those that are searched, with a tiny ε and again with that of the search. Each phase must keep the same as on
// the host.
void PlantingDomains::audit_shape(const DomainBatch& batch, const Interrupt& interrupt) {
  const BatchParameters& p = batch.parameters;
  std::uint64_t& searched = searched_[{static_cast<int>(p.test), p.domain_bits, p.split_bits, p.exhaustive}];
  const std::uint64_t before_it = std::exchange(searched, searched + batch.domain_count());
  if (before_it >= from_ || searched < from_)
    return;
  constexpr std::uint32_t most_domains = 64;
  constexpr std::uint32_t hits_of_each = 20;
  constexpr std::uint64_t most_arguments = std::uint64_t(1) << 24; // the host evaluates them one by one
  const std::uint64_t evaluated = std::uint64_t(1) << (p.domain_bits - (p.exhaustive ? 0 : p.split_bits));
  const auto domains =
      static_cast<std::uint32_t>(std::clamp<std::uint64_t>(most_arguments / hits_of_each / evaluated, 1, most_domains));
  const Launcher::Unrecorded unrecorded(*search_.launcher());
  number::Random random(static_cast<std::uint64_t>(batch.first_argument) ^ p.epsilon);
  for (const bool alone : {true, false}) {
    constexpr std::uint64_t next_to_nothing = 8; // 2^−61
    const std::uint64_t closest = alone ? std::min(next_to_nothing, p.epsilon) : p.epsilon;
    PlantedDomains planted = planted_domains(batch, domains, hits_of_each, closest, random);
    for (std::uint64_t BatchParameters::*offset :
         {&BatchParameters::offset1, &BatchParameters::offset2, &BatchParameters::offset3})
      planted.batch.parameters.*offset -= p.epsilon - closest;
    PhaseTrace expected;
    PhaseTrace found;
    const std::vector<std::uint64_t> candidates = search_on_host(planted.batch, &expected);
    const bool same = search_.try_out(planted.batch, found, interrupt) == candidates;
    if (!same || (search_.deployment() == Deployment::three && !p.exhaustive &&
                  (found.domains != expected.domains || found.sub_domains != expected.sub_domains)))
      throw search_.launcher()->fault(fmt::format("the {} test differs from the host's in {} domains of 2^{} arguments "
                                                  "with planted hits",
                                                  to_string(p.test), planted.hits.size(), p.domain_bits));
    if (!std::includes(candidates.begin(), candidates.end(), planted.hits.begin(), planted.hits.end()))
      throw SoundnessError("a planted hit is missing on the host");
  }
}

// The device must have passed what the planted domains pass on the host: the rest of its stages' counts is the batch's
// own.
void PlantingDomains::search_with_planted(const DomainBatch& batch, const Interrupt& interrupt, BatchResult& result) {
  const BatchParameters& p = batch.parameters;
  number::Random random(static_cast<std::uint64_t>(batch.first_argument) ^ batch.domain_count());
  PlantedDomains planted;
  {
    const AuditShare::Timed time = share_.audit();
    planted = planted_domains(batch, planted_behind, 1, p.epsilon, random);
  }
  std::vector<std::uint64_t>& candidates = result.candidates;
  candidates = search_.search(batch, nullptr, interrupt, &planted.batch);
  const AuditShare::Timed time = share_.audit();
  for (std::size_t i = 0; i < planted.hits.size(); ++i)
    if (search_.coefficients().read(batch, planted.like[i]) !=
        DeviceCoefficients::OfDomain{planted.lines[i], planted.batch.slopes[i], planted.batch.curvatures[i]})
      throw search_.launcher()->fault("it has searched other coefficients of a domain than the host's");
  const std::uint64_t end = std::uint64_t(batch.domain_count()) << p.domain_bits;
  const auto beyond = std::lower_bound(candidates.begin(), candidates.end(), p.argument_limit);
  std::vector<std::uint64_t> found(std::lower_bound(beyond, candidates.end(), end), candidates.end());
  for (std::uint64_t& argument : found)
    argument -= end;
  PhaseTrace trace;
  if (found != search_on_host(planted.batch, &trace) ||
      !std::includes(found.begin(), found.end(), planted.hits.begin(), planted.hits.end()))
    throw search_.launcher()->fault(
        fmt::format("the {} test has missed a hit that was planted among {} domains of 2^{} arguments",
                    to_string(p.test), batch.domain_count(), p.domain_bits));
  Stages& own = result.stages = search_.stages();
  own[3].tested -= trace.sub_domains.size();
  own[3].kept -= static_cast<std::uint64_t>(candidates.end() - beyond);
  if (!p.exhaustive) {
    own[1].tested -= planted.hits.size();
    own[1].kept -= trace.domains.size();
    own[2].tested -= trace.domains.size() << p.split_bits;
    own[2].kept -= trace.sub_domains.size();
  }
  candidates.erase(beyond, candidates.end());
}

} // namespace tmd::engine::domains
