// Notes and warnings of the library: sentences for its user. The library prints nothing itself.
#pragma once

#include <functional>
#include <string>

namespace tmd {

// A note explains a choice that was made; a warning reports that something went wrong.
enum class Remark { note, warning };

// The callback for remarks: gets a sentence without a full stop. Several threads may call it, one at a time.
using RemarkHandler = std::function<void(Remark kind, const std::string& sentence)>;

// The callback, or one that does nothing if there is none.
[[nodiscard]] inline RemarkHandler or_ignore(const RemarkHandler& on_remark) {
  return on_remark ? on_remark : [](Remark, const std::string&) {};
}

} // namespace tmd
