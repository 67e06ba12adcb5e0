// The progress of a search: in words, as a record, and its intervals.
#include "host/report/progress.hpp"
#include "host/support/descriptor.hpp"
#include "tmd/error.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

namespace tmd::report {

using Form = ProgressReports::Form;

namespace {

Progress some_progress() { return {uint128(1) << 60, uint128(1) << 62, 12, 100.5, 2}; }

// The output until the first line is complete, or during a while in which there should be none.
std::string reports_of(const std::optional<ProgressReports>& reports, bool wanted) {
  support::PipeEnds pipe = support::make_pipe();
  std::string text;
  {
    ProgressLine line(wanted, 1000, reports, pipe.in.number());
    line.show({250, 1000, 3, 8, 1});
    while (reports && text.find('\n') == std::string::npos)
      pipe.out.read(text);
    if (!reports)
      std::this_thread::sleep_for(std::chrono::milliseconds(250));
    line.clear();
  }
  pipe.in.close();
  while (pipe.out.is_open())
    pipe.out.read(text);
  return text;
}

} // namespace

TEST_CASE("the form and the seconds of --progress, and nothing else") {
  CHECK(request::parse_progress("lines:10").form == Form::lines);
  CHECK(request::parse_progress("lines:10").seconds == 10);
  CHECK(request::parse_progress("json:0.5").form == Form::json);
  CHECK(request::parse_progress("json:0.5").seconds == 0.5);
  CHECK(request::parse_progress("json:86400").seconds == 86400);
  for (const char* text : {"", "lines", "json", "10", ":10", "lines:", "json:0", "json:-1", "json:0.05", "lines:86401",
                           "xml:10", "JSON:10", "lines:10s", "lines: 10", "lines:nan", "lines:inf", "json:1:2"}) {
    CAPTURE(std::string(text));
    CHECK_THROWS_AS((void)request::parse_progress(text), UsageError);
  }
}

TEST_CASE("durations in days, hours, minutes and seconds") {
  CHECK(duration(0.9) == "0:00:00");
  CHECK(duration(3600 + 61) == "1:01:01");
  CHECK(duration(2 * 86400 + 5) == "2d 0:00:05");
}

TEST_CASE("a report in words and as a record") {
  CHECK(progress_line(some_progress()) ==
        "0:01:40   25.00 %  1.15e+16 arguments/s on 2 devices  12 cases  ETA 0:05:01");
  const auto record = nlohmann::json::parse(progress_record(some_progress()));
  CHECK(record.at("type") == "progress");
  CHECK(record.at("seconds") == 100.5);
  CHECK(record.at("arguments") == "1152921504606846976");
  CHECK(record.at("total") == "4611686018427387904");
  CHECK(record.at("share") == 0.25);
  CHECK(record.at("arguments_per_second").get<double>() == doctest::Approx(0x1p60 / 100.5));
  CHECK(record.at("cases") == 12);
  CHECK(record.at("devices") == 2);
  CHECK(record.at("seconds_left").get<double>() == doctest::Approx(301.5));
  CHECK(record.size() == 9);
  Progress nothing;
  nothing.total = 4;
  CHECK(nlohmann::json::parse(progress_record(nothing)).at("seconds_left").is_null());
  CHECK(progress_line(nothing).ends_with("ETA ?"));
}

TEST_CASE("what an earlier run has searched says nothing of the rate") {
  Progress progress{750, 1000, 3, 5, 1};
  progress.known = 500;
  CHECK(nlohmann::json::parse(progress_record(progress))["arguments_per_second"] == 50);
  CHECK(nlohmann::json::parse(progress_record(progress))["seconds_left"] == 5);
  progress.known = 750;
  CHECK(nlohmann::json::parse(progress_record(progress))["seconds_left"].is_null());
}

TEST_CASE("reports come without a terminal, a line each, and are not asked for otherwise") {
  CHECK(reports_of({}, true).empty());
  CHECK(reports_of({}, false).empty());
  for (const bool wanted : {true, false}) {
    const std::string words = reports_of(ProgressReports{Form::lines, 0.1}, wanted);
    CHECK(words.starts_with("0:00:08   25.00 %  "));
    CHECK(words.ends_with("\n"));
    CHECK(words.find('\r') == std::string::npos);
    CHECK(words.find('\033') == std::string::npos);
  }
  const std::string records = reports_of(ProgressReports{Form::json, 0.1}, true);
  const auto first = nlohmann::json::parse(records.substr(0, records.find('\n')));
  CHECK(first.at("arguments") == "250");
  CHECK(first.at("seconds").get<double>() > 8); // time goes on between parts
}

TEST_CASE("a search outlives who was to read its reports") {
  support::PipeEnds pipe = support::make_pipe();
  pipe.out.close();
  {
    const ProgressLine line(false, 1000, ProgressReports{Form::lines, 0.1}, pipe.in.number());
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
  }
  support::PipeEnds full = support::make_pipe();
  const std::string much(4096, 'x');
  REQUIRE(::fcntl(full.in.number(), F_SETFL, O_NONBLOCK) == 0);
  while (::write(full.in.number(), much.data(), much.size()) > 0)
    continue;
  REQUIRE(::fcntl(full.in.number(), F_SETFL, 0) == 0);
  {
    const ProgressLine line(false, 1000, ProgressReports{Form::lines, 0.1}, full.in.number());
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
  }
}

} // namespace tmd::report
