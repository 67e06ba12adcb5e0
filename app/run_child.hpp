// Runs this program in a process of its own, and collects its findings.
#pragma once

#include "support/child_process.hpp"
#include "tmd/error.hpp"
#include "tmd/search_spec.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tmd::app {

// The name by which a child writes --json to its parent.
inline constexpr const char* child_records = "/dev/fd/3";

struct ChildEnd {
  enum class Kind { exited, signalled, timed_out, interrupted };
  Kind kind = Kind::exited;
  int number = 0;      // exit status or signal
  std::string records; // text written to child_records
  std::string errors;  // the end of its stderr

  [[nodiscard]] bool done() const { return kind == Kind::exited && number == 0; }
  // Whether it has done everything possible; some arguments may be left out or undecided.
  [[nodiscard]] bool has_ended() const {
    return done() || (kind == Kind::exited && number == static_cast<int>(Status::partial));
  }
  // Its own sentence, or a sentence about how it ended.
  [[nodiscard]] std::string sentence() const;
};

// Runs this executable, or another program, until it ends. It is killed after `seconds`, when `interrupted` returns
// true, or with this process. Throws DeviceError if it cannot be started.
[[nodiscard]] ChildEnd run_child(std::vector<std::string> arguments, double seconds,
                                 const std::function<bool()>& interrupted = {},
                                 const std::string& program = support::this_program);

// Runs `tmd search` in a process of its own: these searches, one after the other, without tables. A search without a
// file for its records writes them to ChildEnd::records.
[[nodiscard]] ChildEnd run_search(const std::vector<SearchSpec>& specs, double seconds,
                                  const std::function<bool()>& interrupted = {});

} // namespace tmd::app
