// Notes and warnings of the library: sentences for its user. The library prints nothing itself.
#pragma once

#include <functional>
#include <string>

namespace tmd {

// A note explains a choice that was made; a warning reports that something went wrong.
enum class Remark { note, warning };

// The callback for remarks: gets a sentence without a full stop. Several threads may call it, one at a time.
using Tell = std::function<void(Remark kind, const std::string& sentence)>;

// The callback, or one that does nothing if there is none.
[[nodiscard]] inline Tell or_nobody(const Tell& tell) {
  return tell ? tell : [](Remark, const std::string&) {};
}

} // namespace tmd
