#include "search/part.hpp"

#include "request/option_error.hpp"
#include "search/workload.hpp"

namespace tmd::searches {

void cut_to_part(request::SearchRequest& request) {
  if (!request.spec.shard)
    return;
  const auto [index, count] = *request.spec.shard;
  const auto borders = request::blaming("shard", [&, count = count] {
    return shard_borders(request.job, predicted_work(request.job, request.leaves_out, usual_settings()), count);
  });
  request::set_part(request, borders[static_cast<std::size_t>(index) - 1], borders[static_cast<std::size_t>(index)]);
}

} // namespace tmd::searches
