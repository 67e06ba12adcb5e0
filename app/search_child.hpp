// A search in a process of its own, for the list of what it finds.
#pragma once

#include "job/job.hpp"
#include "result/case_list.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tmd::app {

// Runs `tmd search` of the job on these devices, as --device names them; on none of them: on what it chooses. `purpose`
// stands in messages: what the list is of. Throws Error, with the search's own sentence and exit status, where it
// fails.
[[nodiscard]] result::CaseList search_in_child(const job::Job& job, const std::vector<std::string>& devices,
                                               std::string_view purpose);

} // namespace tmd::app
