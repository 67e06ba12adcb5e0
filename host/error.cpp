#include "error.hpp"

#include <new>

namespace tmd {

Failure failure_of(const std::exception& error) {
  if (const auto* known = dynamic_cast<const Error*>(&error))
    return {known->status(), known->what()};
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return {Status::device,
            "out of memory: search a shorter range, or with a larger --bits, which finds fewer cases; or "
            "let it have more memory"};
  return {Status::unsound, std::string("internal error, please report it: ") + error.what()};
}

} // namespace tmd
