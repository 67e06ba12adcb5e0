// Ranges of many kinds, and functions' values by MPFR.
#pragma once

#include "host/format/argument.hpp"
#include "host/function/catalogue.hpp"
#include "host/job/pieces.hpp"
#include "host/number/mpfr.hpp"

#include <vector>

namespace tmd {

// f(x) rounded towards zero.
inline number::Mpfr value_of(const function::Function& f, mpfr_srcptr x, long precision) {
  const function::ValueEnclosure value = f.value(x, precision);
  return mpfr_cmpabs(value.lower, value.upper) < 0 ? value.lower : value.upper;
}

struct Range {
  const char* function;
  const char* format;
  int precision;
  const char* from;
  const char* to;
};

inline job::Job job_on(const Range& range) {
  job::Job job;
  job.function = &function::find_function(range.function);
  job.format = find_format(range.format);
  job.argument_precision = range.precision;
  job.first = job.arguments().parse(range.from, "");
  job.last = job.arguments().parse(range.to, "");
  return job;
}

// With the format's own arguments.
inline job::Job job_on(const char* function, const char* format, const char* from, const char* to) {
  return job_on(Range{function, format, find_format(format).precision, from, to});
}

inline const Range ranges[] = {{"exp", "binary64", 53, "1", "2"},
                               {"exp", "binary64", 53, "-0x1p-3", "-0x1p-4"},
                               {"exp", "binary64", 53, "512", "0x1.001p9"},
                               {"exp2", "binary64", 54, "0.25", "0.5"},
                               {"log", "binary64", 53, "0x1.ffffp-1", "0x1.00001p+0"},
                               {"log", "binary64", 53, "0x1p-1000", "0x1.8p-1000"},
                               {"sin", "binary64", 53, "1", "2"},
                               {"sin", "binary64", 53, "-8", "-2"},
                               {"sin", "binary64", 53, "0x1p30", "0x1.00000001p30"},
                               {"cbrt", "binary64", 53, "-2", "-1"},
                               {"cbrt", "binary64", 53, "0x1p-1074", "0x1p-1030"},
                               {"exp", "binary80", 64, "1", "2"},
                               {"sin", "binary80", 65, "0.5", "1"},
                               {"exp", "binary32", 24, "1", "2"},
                               {"exp", "p38", 20, "1", "2"},
                               {"sin", "binary16", 11, "1", "2"}};

inline std::vector<job::Cut> cuts_of(const Range& range) {
  const format::ArgumentSet set(find_format(range.format), range.precision);
  return job::cut_all(function::find_function(range.function), set, set.parse(range.from, "from"),
                      set.parse(range.to, "to"));
}

inline std::vector<job::Piece> pieces_of(const Range& range) {
  const format::ArgumentSet set(find_format(range.format), range.precision);
  return job::find_pieces(function::find_function(range.function), set, set.parse(range.from, "from"),
                          set.parse(range.to, "to"));
}

} // namespace tmd
