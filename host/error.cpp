#include "tmd/error.hpp"

#include <new>
#include <system_error>

namespace tmd {

Failure failure_of(const std::exception& error) {
  if (const auto* known = dynamic_cast<const Error*>(&error))
    return {known->status(), known->what()};
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return {Status::device,
            "out of memory: search a shorter range, or with a larger --bits, which finds fewer cases; or "
            "let it have more memory"};
  if (const auto* system = dynamic_cast<const std::system_error*>(&error);
      system != nullptr && system->code() == std::errc::resource_unavailable_try_again) // of a thread
    return {Status::device, "no thread could be started: let it have more memory (see `ulimit -v`) or more threads "
                            "(`ulimit -u`)"};
  return {Status::unsound, std::string("internal error, please report it: ") + error.what()};
}

} // namespace tmd
