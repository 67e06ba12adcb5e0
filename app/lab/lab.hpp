// The measurements of `tmd-lab`, each in a file of its own. They measure classes that app/lab/production.hpp names.
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

// Times every existence test by every division strategy, on the same domains.
int run_phase1(const Arguments& arguments);
// Times every way to make coefficients, beside the phase-1 test that uses them.
int run_polynomials(const Arguments& arguments);
// Counts the rounds of the phase-1 test, and how long SIMD groups wait for their longest member.
int run_divergence(const Arguments& arguments);
// Times the variants of the wide test's kernel.
int run_wide(const Arguments& arguments);
// Times the variants of the phase walk's kernel.
int run_phase(const Arguments& arguments);
// Times boxes of pairs of pow, on tiles of several kinds.
int run_boxes(const Arguments& arguments);
// Times 64-bit integer division by every strategy, and FP64 division, built in and emulated.
int run_division(const Arguments& arguments);
// Simulates the dispatcher, the messages and the journal of a search by very many devices.
int run_dispatch(const Arguments& arguments);

// The options for job and device that measurements of a search share. method: further options of the search that the
// measurement uses, and what each means for it.
[[nodiscard]] cxxopts::Options lab_options(const std::string& what, const std::string& description,
                                           const std::map<std::string, std::string>& method = {});
// Adds --json and --help, and parses. Returns nothing if the help was asked for, which it has then printed.
[[nodiscard]] std::optional<cxxopts::ParseResult> parse_measurement(cxxopts::Options& options, const std::string& what,
                                                                    const Arguments& arguments);

// The chosen device, with one context for everything that a measurement opens on it.
[[nodiscard]] run::DeviceChoice device_to_measure(const SearchSpec& spec);

// The option --repeats: the number of runs of which a median is taken.
void add_repeats(cxxopts::Options& options);
[[nodiscard]] int repeats_of(const cxxopts::ParseResult& parsed);

} // namespace tmd::app
