// What a search will cost, before it is run, and whether it may run at all.
#pragma once

#include "request/resolve.hpp"
#include "search/expectation.hpp"
#include "tmd/search.hpp"

namespace tmd::run {

// The estimate's counts, from a survey that needs no device.
[[nodiscard]] searches::Survey survey_of(const request::SearchRequest& request);
[[nodiscard]] Estimate estimate_of(const request::SearchRequest& request, const searches::Survey& survey);

// Adds how long it would take on the request's devices, by searching some of it.
void predict_time(Estimate& estimate, const request::SearchRequest& request, const searches::Survey& survey,
                  const Tell& tell);

// Throws UsageError, which names the first such argument, where a binade of the range ends with values beyond
// 2^±most_value_exponent: a search would come to them after hours.
void refuse_values_beyond(const request::SearchRequest& request);

// Throws UsageError where more cases are to be expected than the request allows.
void refuse_too_many_cases(const request::SearchRequest& request);

} // namespace tmd::run
