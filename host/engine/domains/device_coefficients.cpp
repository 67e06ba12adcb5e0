// Coefficients come from the host, or the device makes them from a polynomial: a kernel a row, while the host prepares
// the next row. Some packets of what it makes are compared with the host's.
#include "engine/domains/device_coefficients.hpp"

#include "engine/domains/tunables.hpp"
#include "number/random.hpp"
#include "support/statistics.hpp"

#include <algorithm>
#include <utility>

namespace tmd::engine::domains {

namespace {

constexpr const char* program = "domains/polynomials.cl";

} // namespace

DeviceCoefficients::DeviceCoefficients(std::shared_ptr<Launcher> launcher, const device::Tunables& tunables)
    : launcher_(std::move(launcher)),
      asked_domains_(static_cast<std::uint64_t>(tunables[device::shared_tunable("batch-domains")])),
      lanes_(std::int64_t(1) << tunables[domain_tunable("polynomials.vector-width")]),
      stage_(domain_stages[0], tunables[domain_tunable("polynomials.work-group-size")], first_tests,
             tunables[device::shared_tunable("launch-milliseconds")]) {}

std::uint64_t DeviceCoefficients::most_domains() const {
  // Three coefficients a domain; half of the memory is left to others.
  const std::uint64_t most = std::min(launcher_->device().largest_buffer / sizeof(std::uint64_t),
                                      launcher_->device().global_memory / 2 / (3 * sizeof(std::uint64_t)));
  return std::max<std::uint64_t>(1, std::min(asked_domains_, most));
}

void DeviceCoefficients::build_ahead(const DomainBatch& batch) {
  for (int row = 0; batch.polynomial && row < HierarchicalPolynomial::row_count; ++row)
    launcher_->build_ahead(program, macros(*batch.polynomial, row));
}

void DeviceCoefficients::load(const DomainBatch& batch, const DomainBatch* behind) {
  const std::size_t bytes =
      sizeof(std::uint64_t) * (std::uint64_t(batch.domain_count()) + (behind != nullptr ? behind->domain_count() : 0));
  if (bytes > lines_.bytes()) {
    const std::size_t full = sizeof(std::uint64_t) * most_domains();
    const std::size_t size = std::max(bytes, std::min(2 * lines_.bytes(), full));
    for (opencl::Buffer* buffer : {&lines_, &slopes_, &curvatures_}) {
      *buffer = {}; // frees the old buffer first
      *buffer = compute().allocate(size);
    }
  }
  const auto write = [this](const DomainBatch& from, std::size_t at) {
    const std::size_t size = sizeof(std::uint64_t) * from.domain_count();
    compute().write(lines_, from.lines.data(), size, sizeof(std::uint64_t) * at);
    compute().write(slopes_, from.slopes.data(), size, sizeof(std::uint64_t) * at);
    compute().write(curvatures_, from.curvatures.data(), size, sizeof(std::uint64_t) * at);
  };
  if (batch.polynomial)
    make(batch);
  else
    write(batch, 0);
  if (behind != nullptr)
    write(*behind, batch.domain_count());
}

// The macros are as general as most rows need, so that these share a program on devices with slow compilers. A CPU's
// compiler is fast, and makes better code with exact numbers.
std::vector<opencl::Macro> DeviceCoefficients::macros(const HierarchicalPolynomial& polynomial, int row) const {
  const bool fewer = !launcher_->device().is_cpu;
  const int usual_differences = fewer ? 5 : 0;
  const int usual_binomial_words = fewer ? 5 : 1;
  return {{"TMD_VECTOR_WIDTH", lanes_, 1, 16},
          {"TMD_WORDS", polynomial.words(), 2, 7},
          {"TMD_DIFFERENCES", std::max(polynomial.differences(row), usual_differences), 0, 12},
          {"TMD_FEWER", fewer ? 1 : 0, 0, 1},
          {"TMD_INTERVAL_WORDS", polynomial.interval_words(), polynomial.words(), 16},
          {"TMD_BINOMIAL_WORDS", std::max(polynomial.binomial_words(), usual_binomial_words), 1, 8}};
}

void DeviceCoefficients::make(const DomainBatch& batch) {
  const HierarchicalPolynomial& polynomial = *batch.polynomial;
  const std::array<const opencl::Buffer*, HierarchicalPolynomial::row_count> targets{&lines_, &slopes_, &curvatures_};
  const auto packet_bits = static_cast<std::uint32_t>(polynomial.packet_bits());
  // The host prepares a row while the device works on the one before.
  for (int row = 0; row < HierarchicalPolynomial::row_count; ++row) {
    opencl::Kernel& walk = launcher_->build(stage_.counts.name, program, "shift_and_walk", macros(polynomial, row));
    const auto& words = uploads_.emplace_back(polynomial.row_coefficients(row));
    opencl::Buffer& coefficients = row_coefficients_[static_cast<unsigned>(row)];
    if (sizeof(std::uint64_t) * words.size() > coefficients.bytes())
      coefficients = compute().allocate(2 * sizeof(std::uint64_t) * words.size());
    compute().write_later(coefficients, words.data(), sizeof(std::uint64_t) * words.size());
    const auto size =
        static_cast<std::uint32_t>(words.size()) / static_cast<std::uint32_t>(polynomial.interval_words());
    making_.push_back(launcher_->start({walk, static_cast<std::size_t>(lanes_)}, stage_.counts.name, batch.packets,
                                       stage_.work_group_size, coefficients, *targets[static_cast<unsigned>(row)], size,
                                       polynomial.differences(row), static_cast<std::uint32_t>(batch.first_packet),
                                       packet_bits, polynomial.window(row)));
  }
  stage_.counts.tested += batch.domain_count();
  check(batch);
}

// Counts the time and the work of the kernels that make() started.
void DeviceCoefficients::finish() {
  for (Launcher::Launch& made : making_) {
    (void)made.finish();
    stage_.counts.seconds += made.seconds();
  }
  abandon();
}

// Waits, for the device may still be reading what was uploaded.
void DeviceCoefficients::abandon() {
  making_.clear();
  uploads_.clear();
}

void DeviceCoefficients::check(const DomainBatch& batch) {
  // Some packets of every 64th batch are checked: of the first batch its last packet, which has been shifted furthest,
  // then any.
  constexpr std::uint64_t checked_batches = 64;
  constexpr std::uint32_t checked_packets = 4;
  if (made_batches_++ % checked_batches != 0 && !check_all_)
    return;
  const HierarchicalPolynomial& polynomial = *batch.polynomial;
  const std::size_t size = polynomial.packet_size();
  const std::uint32_t packets = check_all_ ? batch.packets : std::min(checked_packets, batch.packets);
  number::Random random(static_cast<std::uint64_t>(batch.first_argument));
  const std::uint32_t first = made_batches_ == 1 || check_all_
                                  ? batch.packets - packets
                                  : static_cast<std::uint32_t>(random.below(batch.packets - packets + 1));
  DomainBatch made;
  DomainBatch expected;
  for (DomainBatch* target : {&made, &expected}) {
    target->lines.resize(size * packets);
    target->slopes.resize(size * packets);
    target->curvatures.resize(size * packets);
  }
  const auto read = [&](const opencl::Buffer& from, auto& to) { // a row holds a step of all packets
    constexpr std::size_t number = sizeof(std::uint64_t);
    compute().read_rows(from, number * first, number * batch.packets, size, number * packets, to.data());
  };
  read(lines_, made.lines);
  read(slopes_, made.slopes);
  read(curvatures_, made.curvatures);
  polynomial.generate((batch.first_packet + first) * size, size * packets,
                      {expected.lines, expected.slopes, expected.curvatures});
  for (std::size_t packet = 0; packet < packets; ++packet)
    for (std::size_t step = 0; step < size; ++step) {
      const std::size_t here = step * packets + packet;
      const std::size_t there = packet * size + step;
      if (made.lines[here] != expected.lines[there] || made.slopes[here] != expected.slopes[there] ||
          made.curvatures[here] != expected.curvatures[there])
        throw launcher_->fault("it made other coefficients of a domain than the host");
    }
}

DeviceCoefficients::OfDomain DeviceCoefficients::read(const DomainBatch& batch, std::uint32_t domain) {
  const std::uint32_t packet = domain >> batch.packet_bits();
  const std::size_t at =
      batch.polynomial ? std::size_t(domain - (packet << batch.packet_bits())) * batch.packets + packet : domain;
  OfDomain result;
  compute().read(lines_, &result.line, sizeof result.line, sizeof result.line * at);
  compute().read(slopes_, &result.slope, sizeof result.slope, sizeof result.slope * at);
  compute().read(curvatures_, &result.curvature, sizeof result.curvature, sizeof result.curvature * at);
  return result;
}

double DeviceCoefficients::time(const DomainBatch& batch, int repeats) {
  const Stage before = stage_.counts;
  std::vector<double> times(static_cast<std::size_t>(repeats) + 1);
  for (double& time : times) {
    stage_.counts.seconds = 0;
    load(batch);
    finish();
    time = stage_.counts.seconds;
  }
  stage_.counts = before;
  times.erase(times.begin()); // the first builds kernels and touches memory
  return support::median(std::move(times));
}

} // namespace tmd::engine::domains
