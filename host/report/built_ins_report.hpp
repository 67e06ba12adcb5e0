// Reports the errors of OpenCL C's functions on each device, as a table and as records.
#pragma once

#include "opencl/device.hpp"
#include "result/record.hpp"
#include "tmd/format.hpp"

#include <string>
#include <vector>

namespace tmd::report {

// The first record; seed: null if all arguments are called.
[[nodiscard]] result::Json built_ins_head(const std::vector<opencl::DeviceDescription>& devices, const Format& format,
                                          const std::string& build_options, const result::Json& seed);
// A function of a device, from the last record of `tmd libm --built-in`. Its `state` is `kept`, `broken`, or `open` if
// the specification sets no bound.
[[nodiscard]] result::Json built_in_record(std::size_t device, const std::string& symbol, const result::Json& summary);
// A function that failed, and why.
[[nodiscard]] result::Json built_in_failure(std::size_t device, const std::string& symbol, const std::string& sentence);

// The lines above the table; below, a row: the records of a function, one for each device.
[[nodiscard]] std::string built_ins_heading(const std::vector<opencl::DeviceDescription>& devices);
[[nodiscard]] std::string built_ins_row(const std::string& symbol, const std::vector<result::Json>& records);

} // namespace tmd::report
