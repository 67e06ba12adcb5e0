// Equality of programs, and their names in records.
#include "host/result/program.hpp"
#include "host/result/record.hpp"

#include <doctest/doctest.h>

namespace tmd::result {

namespace {

const Program one{"0.2.0", "0123456789ab", {"0123456789abcdef", false}};

Program with_commit(const char* commit) { return {one.version, commit, one.kernels}; }

} // namespace

TEST_CASE("program: the same are version, commit and kernels; an unrecorded commit is that of no other") {
  CHECK(is_same(one, one));
  CHECK(is_same(with_commit("unknown"), with_commit("unknown")));
  CHECK_FALSE(is_same(one, {"0.2.1", one.commit, one.kernels}));
  CHECK_FALSE(is_same(one, with_commit("0123456789ab-dirty")));
  CHECK_FALSE(is_same(one, {one.version, one.commit, {"fedcba9876543210", false}}));
  CHECK_FALSE(is_same(with_commit(""), with_commit("")));
}

TEST_CASE("program: a list names each once, and the others than the first") {
  std::vector<Program> programs;
  for (const Program& program : {one, with_commit(""), one, with_commit("")})
    add_program(programs, program);
  REQUIRE(programs.size() == 2);
  CHECK(to_string(others_than(one, programs)) == "tmd 0.2.0 (kernels 0123456789abcdef)");
  CHECK(to_string(programs) ==
        "tmd 0.2.0 (commit 0123456789ab, kernels 0123456789abcdef) and tmd 0.2.0 (kernels 0123456789abcdef)");
}

TEST_CASE("program: records keep all of it, and those of 0.1.0 have no commit") {
  Json record = Json::object();
  write_program(record, one);
  write_other_programs(record, {with_commit("")});
  CHECK(is_same(read_program(record), one));
  REQUIRE(read_other_programs(record).size() == 1);
  CHECK(read_other_programs(record)[0].commit.empty());
  record.erase("commit");
  CHECK(read_program(record).commit.empty());
  CHECK(read_program(record).version == "0.2.0");
  CHECK(running_program({}).commit.size() >= 7); // "unknown" at least
}

} // namespace tmd::result
