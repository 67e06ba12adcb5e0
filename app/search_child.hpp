// Runs a search in a process of its own to make a list of cases.
#pragma once

#include "job/job.hpp"
#include "result/case_list.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tmd::app {

// Runs `tmd search` for the job on these devices, named as by --device; without any, it chooses. purpose: says in
// messages what the list is for. Throws Error, with the search's own sentence and exit status, if it fails.
[[nodiscard]] result::CaseList search_in_child(const job::Job& job, const std::vector<std::string>& devices,
                                               std::string_view purpose);

} // namespace tmd::app
