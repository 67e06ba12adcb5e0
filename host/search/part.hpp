// Cuts a job into shards, one for each of several machines.
#pragma once

#include "request/resolve.hpp"

namespace tmd::searches {

// Cuts the request's job to the shard that its spec names, the same on every machine; without one it stays whole. Takes
// time, for the whole job is surveyed. Throws OptionError if the job has too few arguments.
void cut_to_part(request::SearchRequest& request);

} // namespace tmd::searches
