// Every option of a search, in every form: on a command line, in JSON, in a job file.
#include "host/request/option_table.hpp"
#include "host/request/command.hpp"
#include "host/request/each_function.hpp"
#include "host/request/job_file.hpp"
#include "host/request/option_error.hpp"
#include "host/request/resolve.hpp"
#include "host/request/spec_json.hpp"
#include "unit/message_of.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tmd::request {

namespace {

// Values that differ from those of SearchSpec{}. A new option needs one here if its first word is not enough.
std::vector<std::string> samples(const SearchOption& option) {
  const std::map<std::string, std::vector<std::string>> known{{"function", {"exp", "log(1+exp(x))"}},
                                                              {"from", {"1"}},
                                                              {"to", {"1+2^-13"}},
                                                              {"argument-precision", {"54"}},
                                                              {"bits", {"33"}},
                                                              {"domain-bits", {"12"}},
                                                              {"device", {"gpu", "0"}},
                                                              {"profile", {"cpu.toml"}},
                                                              {"set", {"wide.items=2", "phase1.division=hybrid"}},
                                                              {"host-threads", {"3"}},
                                                              {"shard", {"2/5"}},
                                                              {"audit", {"0.25"}},
                                                              {"most-cases", {"1000"}},
                                                              {"wc", {"a b.wc"}},
                                                              {"json", {"-"}},
                                                              {"journal", {"x.journal"}},
                                                              {"progress", {"json:0.5"}},
                                                              {"show", {"12"}}};
  if (const auto found = known.find(option.name); found != known.end())
    return found->second;
  if (option.is_flag())
    return {"true"};
  REQUIRE_MESSAGE(!option.words.empty(), "the option " << option.name << " has no sample");
  return {option.words.back()};
}

SearchSpec spec_with(const SearchOption& option) {
  SearchSpec spec;
  for (const std::string& text : samples(option))
    set_option(spec, option, text);
  return spec;
}

std::string text_of(const SearchSpec& spec) { return to_json(spec).dump(); }

} // namespace

TEST_CASE("options of a search: names are there once") {
  std::set<std::string> names;
  for (const SearchOption& option : option_table())
    CHECK(names.insert(option.name).second);
}

TEST_CASE("options of a search: each sets a member and gets it back, and nothing else") {
  for (const SearchOption& option : option_table()) {
    CAPTURE(option.name);
    CHECK(option.get(SearchSpec{}).empty());
    const SearchSpec spec = spec_with(option);
    CHECK(option.get(spec) == samples(option));
    for (const SearchOption& other : option_table())
      if (other.name != option.name)
        CHECK_MESSAGE(other.get(spec).empty(), other.name);
  }
}

TEST_CASE("options of a search: from a command line to JSON and back") {
  SearchSpec all;
  for (const SearchOption& option : option_table()) {
    CAPTURE(option.name);
    const SearchSpec spec = spec_with(option);
    CHECK(text_of(parse_spec(text_of(spec))) == text_of(spec));
    if (option.group == OptionGroup::internal)
      continue;
    CHECK(text_of(spec_of_command(command_of(spec))) == text_of(spec));
    for (const std::string& text : samples(option))
      set_option(all, option, text);
  }
  CHECK(text_of(parse_spec(text_of(all))) == text_of(all));
  CHECK(text_of(spec_of_command(command_of(all))) == text_of(all));
}

TEST_CASE("options of a search: what a shell completes is what they take") {
  for (const SearchOption& option : option_table())
    for (const std::string& word : option.words) {
      CAPTURE(option.name);
      SearchSpec spec;
      if (option.name != "set")
        CHECK_NOTHROW(set_option(spec, option, word));
    }
}

TEST_CASE("options of a search: a mistake knows its option") {
  const auto option_of = [](std::string_view json) -> std::string {
    try {
      (void)resolve(parse_spec(json));
    } catch (const OptionError& error) {
      return error.option();
    }
    return "none";
  };
  CHECK(option_of(R"({"function":["exp"],"bits":0})") == "bits");
  CHECK(option_of(R"({"function":["exp"],"bits":true})") == "bits");
  CHECK(option_of(R"({"function":["expp"]})") == "function");
  CHECK(option_of(R"({"function":["exp"],"rounding":"up"})") == "rounding");
  CHECK(option_of(R"({"function":["exp"],"set":["wide.items=1","wide.items=0"]})") == "set");
  CHECK(option_of(R"({"function":["exp"],"device":["all","0"]})") == "device");
  CHECK(option_of(R"({"function":["exp"],"from":"one"})") == "from");
  CHECK(option_of(R"({"function":["exp"],"to":0.1})") == "to");
  CHECK(option_of(R"({"function":["exp"],"from":2,"to":1})") == "to");
  CHECK(option_of(R"({"function":["log"],"from":-1,"to":1})") == "from");
  CHECK(option_of(R"json({"function":["log(x-1)"],"from":1,"to":2})json") == "from");
  CHECK(option_of(R"({"function":["exp"],"quiet":false})") == "none");
  CHECK_THROWS_AS((void)parse_spec(R"({"bit":3})"), UsageError);
  CHECK(message_of([] { (void)parse_spec(R"({"bit":3})"); }) == "unknown option 'bit'; did you mean 'bits'?");
  CHECK_THROWS_AS((void)parse_spec("[]"), UsageError);
  CHECK_THROWS_AS((void)parse_spec("{"), UsageError);
}

TEST_CASE("options of a search: command lines of 0.1.0") {
  const auto json_of = [](std::string_view line) { return text_of(spec_of_command(line)); };
  CHECK(
      json_of("tmd search exp --from 1 --to=0x1.0008p+0 --argument-precision 54 --quiet --set wide.items=2") ==
      R"({"function":["exp"],"from":"1","to":"0x1.0008p+0","argument-precision":54,"set":["wide.items=2"],"quiet":true})");
  CHECK(json_of("tmd search --from -1 --to 0 --bits=40 -- '-x*exp(x)'") ==
        R"json({"function":["-x*exp(x)"],"from":"-1","to":"0","bits":40})json");
  CHECK(json_of("tmd search sin,cos --wc %.wc") == R"({"function":["sin","cos"],"wc":"%.wc"})");
  for (const char* line :
       {"tmd merge a b", "tmd", "tmd search exp log", "tmd search exp --bits", "tmd search exp --no"})
    CHECK_THROWS_AS((void)spec_of_command(line), UsageError);
}

TEST_CASE("requests: a search for each of several functions") {
  const auto specs = one_for_each_function(spec_of_command("tmd search sin,cos --wc %.wc --journal a%b%"));
  REQUIRE(specs.size() == 2);
  CHECK(specs[0].functions == std::vector<std::string>{"sin"});
  CHECK(specs[1].wc == "cos.wc");
  CHECK(specs[1].journal == "acosbcos");
  CHECK(one_for_each_function(spec_of_command("tmd search sin --wc %.wc")).front().wc == "%.wc");
  CHECK_THROWS_AS((void)one_for_each_function(spec_of_command("tmd search sin,cos --wc a")), OptionError);
  CHECK_THROWS_AS((void)spec_of_command("tmd search sin,sin"), OptionError);
  CHECK_THROWS_AS((void)spec_of_command("tmd search sin,"), OptionError);
}

TEST_CASE("requests: what is left out is decided by the job") {
  const SearchRequest whole = resolve(spec_of_command("tmd search sin --format binary16"));
  CHECK_FALSE(whole.leaves_out); // MPFR decides so few one by one
  CHECK(whole.symmetry == Symmetry::odd);
  CHECK(whole.job.values == Values::format);
  CHECK(whole.job.K == 3);
  CHECK(whole.from == "0x0p+0");
  const SearchRequest part = resolve(spec_of_command("tmd search exp --from 1 --to 2"));
  CHECK_FALSE(part.leaves_out);
  CHECK(part.job.values == Values::unbounded);
  CHECK(part.job.K == 44);
  CHECK(part.from == "1");
  // The same range, whether its end was given or not.
  CHECK(resolve(spec_of_command("tmd search j0 --from 1")).leaves_out);
  CHECK(resolve(spec_of_command("tmd search j0 --from 1 --to 0x1p1024")).leaves_out);
}

TEST_CASE("options of a search: every one is a key of job files, or is refused there") {
  for (const SearchOption& option : option_table()) {
    if (option.group == OptionGroup::function || option.name == "rounding")
      continue; // arrays of these make several searches
    CAPTURE(option.name);
    std::string value;
    for (const std::string& sample : samples(option))
      value += (value.empty() ? "" : ", ") + (option.is_flag() ? sample : "\"" + sample + "\"");
    value = option.is_repeated ? "[" + value + "]" : value;
    const JobFile file = parse_job_file("[[search]]\nname = \"a\"\nfunction = \"exp\"\nfrom = 1\nto = \"1+2^-13\"\n" +
                                        (option.group == OptionGroup::range ? "" : option.name + " = " + value + "\n"));
    if (!option.in_job_files) {
      REQUIRE(file.mistakes.size() == 1);
      CHECK(file.mistakes.front().line == 6);
      continue;
    }
    REQUIRE(file.mistakes.empty());
    CHECK(option.get(file.searches.at(0).request.spec) == samples(option));
  }
}

} // namespace tmd::request
