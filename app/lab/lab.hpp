// The measurements of `tmd-lab`, a file each. What they measure lies in app/lab/production.hpp.
#pragma once

#include "app/commands.hpp"
#include "app/options.hpp"
#include "app/search_options.hpp"
#include "app/standard_streams.hpp"
#include "run/device_choice.hpp"

#include <map>
#include <optional>
#include <string>

namespace tmd::app {

// Every existence test by every division strategy, on the same domains.
int run_phase1(const Arguments& arguments);
// Every way to make coefficients, beside the phase-1 test that uses them.
int run_polynomials(const Arguments& arguments);
// Rounds of the phase-1 test, and how long SIMD groups of them wait for their longest.
int run_divergence(const Arguments& arguments);
// The wide test by the ways to compute it.
int run_wide(const Arguments& arguments);
// The phase walk by the ways to go over lines and points.
int run_phase(const Arguments& arguments);
// Boxes of pairs of pow, on tiles of several kinds.
int run_boxes(const Arguments& arguments);
// 64-bit integer division by every strategy; FP64 division, built in and emulated.
int run_division(const Arguments& arguments);
// The dispatcher, the messages and the journal of a search by very many devices, simulated.
int run_dispatch(const Arguments& arguments);

// The options that measurements of a search share, for the job and the device. method: further options of the search
// that the measurement uses, and what each means for it.
[[nodiscard]] cxxopts::Options lab_options(const std::string& what, const std::string& description,
                                           const std::map<std::string, std::string>& method = {});
// Adds --json and --help, and parses. Nothing where the help was asked for: it has been printed.
[[nodiscard]] std::optional<cxxopts::ParseResult> parse_measurement(cxxopts::Options& options, const std::string& what,
                                                                    const Arguments& arguments);

// The device that is chosen, with one context for all that a measurement opens on it.
[[nodiscard]] run::DeviceChoice device_to_measure(const SearchSpec& spec);

// --repeats: how many runs a median is of.
void add_repeats(cxxopts::Options& options);
[[nodiscard]] int repeats_of(const cxxopts::ParseResult& parsed);

} // namespace tmd::app
