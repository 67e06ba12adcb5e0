// What the library has to say beside its results: sentences for whoever runs it. It prints nothing itself.
#pragma once

#include <functional>
#include <string>

namespace tmd {

// A note tells of a choice that was made, a warning of something that did not go as it should.
enum class Remark { note, warning };

// Is told a sentence, without a full stop at its end. Several threads may call it, one at a time.
using Tell = std::function<void(Remark kind, const std::string& sentence)>;

// Whoever is told, or a function that tells nobody where there is no such.
[[nodiscard]] inline Tell or_nobody(const Tell& tell) {
  return tell ? tell : [](Remark, const std::string&) {};
}

} // namespace tmd
