// The table of commands, and the text of `tmd --help`.
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
  resume JOURNAL    resume an interrupted search
  status JOURNAL    say how far a search is, also while it runs
  merge RESULT ...  merge searches of parts of one job
  show FUNCTION X   show a value around the bits that decide how it is rounded
  libm FUNCTION [LIST]
                    test a math library, or at hard cases
  sample FUNCTION   make a set of arguments at which to test a library
  check FUNCTION LIST
                    check a list of cases, and whether any is missing
  plot RESULT       draw the cases of a search, by their bits and over the range
  verify RESULT     check a search's result, trusting nothing in it
  functions         list the functions that can be searched
  run JOBS.toml     run the searches of a job file, those that are not done yet
  publish RESULT ...
                    add results to a folder of pages and lists
  devices           list the OpenCL devices
  doctor            look whether everything that a search needs is in place, and say what to do
  compare           time one search over devices, algorithms and CPU modes
  tune              find the best settings for a device, and write it into a profile

`tmd COMMAND --help` explains a command and lists its options. `tmd --version` says version, commit and kernels. What a
search is made of is measured by `tmd-lab`.

exit status: 0 done, 1 done but something was left out, 2 usage or a file that cannot be written, 3 no usable device,
             a device failed or memory ran out, 4 a check failed, or what was checked is wrong, 130 interrupted

example: every case of exp on [1, 1 + 2^-13) closer than 2^-33 ulp to a representable number
  tmd search exp --from 1 --to 0x1.0008p+0 --argument-precision 54 --rounding directed --bits 33
)";

constexpr std::array<Command, 19> command_table{
    {{"search", search, "find every hard-to-round case in a range", search_options},
     {"resume", resume, "resume an interrupted search", resume_options},
     {"status", status, "show the progress of a search, also while it runs", status_options},
     {"merge", merge, "merge searches of parts of one job", merge_options},
     {"show", show, "show a value around the bits that decide how it is rounded", show_options},
     {"libm", libm, "test a math library", libm_options},
     {"sample", sample, "make a set of arguments at which to test a library", sample_options},
     {"check", check, "check a list of cases, and whether any is missing", check_options},
     {"verify", verify, "check a search's result, trusting nothing in it", verify_options},
     {"plot", plot, "draw the cases of a search", plot_options},
     {"functions", functions, "list the functions that can be searched", functions_options},
     {"run", run, "run the searches of a job file", run_options},
     {"publish", publish, "add results to a folder of pages and lists", publish_options},
     {"devices", devices, "list the OpenCL devices", devices_options},
     {"doctor", doctor, "check that everything is in place", doctor_options},
     {"compare", compare, "time one search over devices, algorithms and CPU modes", compare_options},
     {"tune", tune, "find the best settings for a device", tune_options},
     {"completions", completions, ""},
     {"build-programs", build_programs, ""}}};

} // namespace

std::span<const Command> commands() { return command_table; }

std::string_view help_text() { return help; }

} // namespace tmd::app
