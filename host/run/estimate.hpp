// Estimates what a search will cost, and refuses one that should not run.
#pragma once

#include "request/resolve.hpp"
#include "search/expectation.hpp"
#include "tmd/search.hpp"

namespace tmd::run {

// The estimate's counts, from a survey that needs no device.
[[nodiscard]] searches::Survey survey_of(const request::SearchRequest& request);
[[nodiscard]] Estimate estimate_of(const request::SearchRequest& request, const searches::Survey& survey);

// Adds the predicted time on the request's devices, by searching samples.
void predict_time(Estimate& estimate, const request::SearchRequest& request, const searches::Survey& survey,
                  const RemarkHandler& on_remark);

// Throws UsageError, which names the first such argument, if a binade of the range ends with values beyond
// 2^±most_value_exponent: a search would only come to them after hours.
void refuse_values_beyond(const request::SearchRequest& request);

// Throws UsageError if more cases are expected than the request allows.
void refuse_too_many_cases(const request::SearchRequest& request);

} // namespace tmd::run
