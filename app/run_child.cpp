#include "run_child.hpp"

#include "request/spec_json.hpp"
#include "support/stopwatch.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tmd::app {

ChildEnd run_child(std::vector<std::string> arguments, double seconds, const std::function<bool()>& interrupted,
                   const std::string& program) {
  using namespace std::chrono_literals;
  constexpr auto tick = 50ms;
  const auto start = std::chrono::steady_clock::now();
  support::PipeEnds records = support::make_pipe();
  support::ChildProcess child(program, std::move(arguments), {-1, -1, {records.in.number()}}); // 3: child_records
  records.in.close();

  ChildEnd end;
  for (;;) {
    const auto process_end = child.wait();
    if (process_end) {
      // A grandchild may keep the pipe open, so only what is there is read.
      while (records.out.is_open() && child.read(records.out, end.records, 0ms))
        continue;
      end.kind = process_end->signalled ? ChildEnd::Kind::signalled : ChildEnd::Kind::exited;
      end.number = process_end->number;
      break;
    }
    (void)child.read(records.out, end.records, tick);
    const bool stop = interrupted && interrupted();
    if (stop || support::seconds_since(start) > seconds) {
      child.kill();
      end.kind = stop ? ChildEnd::Kind::interrupted : ChildEnd::Kind::timed_out;
      break;
    }
  }
  end.errors = child.errors();
  return end;
}

ChildEnd run_search(const std::vector<SearchSpec>& specs, double seconds, const std::function<bool()>& interrupted) {
  request::Json records = request::Json::array();
  for (SearchSpec spec : specs) {
    spec.quiet = true;
    if (!spec.json)
      spec.json = child_records;
    records.push_back(request::to_json(spec));
  }
  return run_child({"search", "--spec", records.dump()}, seconds, interrupted);
}

std::string ChildEnd::sentence() const {
  constexpr std::string_view prefix = "tmd: ";
  if (kind == Kind::timed_out)
    return "it took too long";
  if (kind == Kind::interrupted)
    return "it was interrupted";
  const support::ProcessEnd end{kind == Kind::signalled, number};
  if (end.signalled)
    return end.sentence();
  // The last line with that beginning: notes and warnings precede it, a compiler's messages follow it.
  std::string found;
  for (std::size_t begin = 0; begin < errors.size();) {
    const std::size_t after = std::min(errors.find('\n', begin), errors.size());
    if (errors.compare(begin, prefix.size(), prefix) == 0)
      found = errors.substr(begin + prefix.size(), after - begin - prefix.size());
    begin = after + 1;
  }
  return found.empty() ? end.sentence() : found;
}

} // namespace tmd::app
