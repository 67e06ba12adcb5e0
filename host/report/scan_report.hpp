// Reports what a math library did at samples, as `tmd libm --scan` prints it.
#pragma once

#include "library/scan.hpp"
#include "tmd/format.hpp"

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace tmd::report {

// A sentence for each place where it is wrong: "toward-zero, |x| from 2^-7 to 2^-1: 2^-25 to 2^-13 ulp above a
// representable number, one in 8000 of such results, one in 2e+08 of all"; and the number of calls.
[[nodiscard]] std::string scan_verdict(const library::ScanFindings& findings, const Format& format);
// JSON Lines after a record that says what was called.
[[nodiscard]] std::string scan_records(const nlohmann::ordered_json& head, const library::ScanFindings& findings,
                                       const Format& format);

} // namespace tmd::report
