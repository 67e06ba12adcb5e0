// The table of commands, and what `tmd --help` prints.
#include "commands.hpp"

#include <cxxopts.hpp>

#include <array>

namespace tmd::app {

namespace {

constexpr std::string_view help =
    R"(tmd solves the Table Maker's Dilemma with OpenCL: it finds every argument at which a function comes so close to a
rounding breakpoint that a math library could round it wrongly.

usage: tmd COMMAND [OPTION ...]

commands:
  search FUNCTION   find every hard-to-round case in a range
  resume JOURNAL    go on with a search that was interrupted
  status JOURNAL    say how far a search is, also while it runs
  merge RESULT ...  put searches of parts of one job together
  show FUNCTION X   show a value around the bits that decide how it is rounded
  libm FUNCTION [LIST]
                    put a math library to the test, or at hard cases
  sample FUNCTION   make a set of arguments at which to test a library
  check FUNCTION LIST
                    check a list of cases, and whether any is missing
  plot RESULT       draw the cases of a search, by their bits and over the range
  verify RESULT     check a result of a search, believing nothing in it
  functions         list the functions that can be searched
  run JOBS.toml     run the searches of a job file, those that are not done yet
  publish RESULT ...
                    add results to a folder of pages and lists
  devices           list the OpenCL devices
  doctor            look whether everything that a search needs is in place, and say what to do
  compare           time one search over devices, algorithms and CPU modes
  tune              find what suits a device best, and write it into a profile

`tmd COMMAND --help` explains a command and lists its options. `tmd --version` says version, commit and kernels. What a
search is made of is measured by `tmd-lab`.

exit status: 0 done, 1 done but something was left out, 2 usage or a file that cannot be written, 3 no usable device,
             a device failed or memory ran out, 4 a check failed, or what was checked is wrong, 130 interrupted

example: every case of exp on [1, 1 + 2^-13) closer than 2^-33 ulp to a representable number
  tmd search exp --from 1 --to 0x1.0008p+0 --argument-precision 54 --rounding directed --bits 33
)";

constexpr std::array<Command, 19> command_table{
    {{"search", search, "find every hard-to-round case in a range", search_options},
     {"resume", resume, "go on with a search that was interrupted", resume_options},
     {"status", status, "say how far a search is, also while it runs", status_options},
     {"merge", merge, "put searches of parts of one job together", merge_options},
     {"show", show, "show a value around the bits that decide how it is rounded", show_options},
     {"libm", libm, "put a math library to the test", libm_options},
     {"sample", sample, "make a set of arguments at which to test a library", sample_options},
     {"check", check, "check a list of cases, and whether any is missing", check_options},
     {"verify", verify, "check a result of a search, believing nothing in it", verify_options},
     {"plot", plot, "draw the cases of a search", plot_options},
     {"functions", functions, "list the functions that can be searched", functions_options},
     {"run", run, "run the searches of a job file", run_options},
     {"publish", publish, "add results to a folder of pages and lists", publish_options},
     {"devices", devices, "list the OpenCL devices", devices_options},
     {"doctor", doctor, "look whether everything is in place", doctor_options},
     {"compare", compare, "time one search over devices, algorithms and CPU modes", compare_options},
     {"tune", tune, "find what suits a device best", tune_options},
     {"completions", completions, ""},
     {"build-programs", build_programs, ""}}};

} // namespace

std::span<const Command> commands() { return command_table; }

std::string_view help_text() { return help; }

} // namespace tmd::app
