// This program in a process of its own, for what it finds there.
#pragma once

#include "support/child_process.hpp"
#include "tmd/error.hpp"
#include "tmd/search_spec.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tmd::app {

// A child's file whose contents its parent gets, for --json.
inline constexpr const char* child_records = "/dev/fd/3";

struct ChildEnd {
  enum class Kind { exited, signalled, timed_out, interrupted };
  Kind kind = Kind::exited;
  int number = 0;      // exit status, or signal
  std::string records; // what it wrote to child_records
  std::string errors;  // what it wrote to stderr last

  [[nodiscard]] bool done() const { return kind == Kind::exited && number == 0; }
  // Whether it has done all that it can: something may be left out, or undecided.
  [[nodiscard]] bool has_ended() const {
    return done() || (kind == Kind::exited && number == static_cast<int>(Status::partial));
  }
  // Its own sentence, or how it ended.
  [[nodiscard]] std::string sentence() const;
};

// Runs this executable, or another program, with these arguments until it ends, `seconds` have passed, or `interrupted`
// says so: then it is killed. It is killed with this process, too. Throws DeviceError when it cannot be started.
[[nodiscard]] ChildEnd run_child(std::vector<std::string> arguments, double seconds,
                                 const std::function<bool()>& interrupted = {},
                                 const std::string& program = support::this_program);

// Runs `tmd search` in a process of its own: these searches, one after the other, without tables. A search that names
// no file for its records writes them into ChildEnd::records.
[[nodiscard]] ChildEnd run_search(const std::vector<SearchSpec>& specs, double seconds,
                                  const std::function<bool()>& interrupted = {});

} // namespace tmd::app
