// Part I of N of a job: a search of its own, beside those of the other parts.
#pragma once

#include "format/argument.hpp"

namespace tmd::job {

struct Shard {
  int index = 1; // from 1 to count
  int count = 1;
  format::ArgumentSet::Rank first = 0; // ranks of the whole job
  format::ArgumentSet::Rank last = 0;

  friend bool operator==(const Shard&, const Shard&) = default;
};

} // namespace tmd::job
