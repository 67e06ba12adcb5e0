#include "support/gnuplot.hpp"

#include "error.hpp"
#include "support/child_process.hpp"
#include "support/installed_files.hpp"

#include <chrono>

#include <fcntl.h>
#include <sys/mman.h>

#include <fmt/format.h>

namespace tmd {

namespace {

// What gnuplot writes to standard output for a script.
std::string run_gnuplot(std::string_view script) {
  using namespace std::chrono_literals;
  const auto program = find_program("gnuplot");
  if (!program)
    throw UsageError("gnuplot is not installed (package gnuplot-nox): no figure can be drawn");
  // A file without a name: gnuplot stops at a mistake, and a pipe would then be broken.
  const Descriptor input(::memfd_create("gnuplot", MFD_CLOEXEC));
  if (!input.is_open() || !input.write(script))
    throw DeviceError("cannot hand a script to gnuplot");
  Pipe output = make_pipe();
  // A script that comes as a file, and not as what a user types: gnuplot fails where it has a mistake.
  ChildProcess gnuplot(program->string(), {"/dev/stdin"}, {input.number(), output.in.number(), {}});
  output.in.close();
  std::string text;
  while (output.out.is_open())
    gnuplot.read(output.out, text, 1s);
  const auto end = gnuplot.wait(10s);
  if (!end || !end->done())
    throw UsageError(fmt::format("gnuplot failed, and no figure can be drawn: {}",
                                 gnuplot.last_words().empty() && end ? end->sentence() : gnuplot.last_words()));
  return text;
}

std::string terminal(int width) {
  return fmt::format("set terminal svg size {},480 dynamic background 'white'\nset output\n", width);
}

} // namespace

void require_gnuplot() { (void)run_gnuplot(terminal(800)); }

std::string gnuplot_svg(std::string_view script, int width) {
  std::string svg = run_gnuplot(fmt::format("{}{}\n", terminal(width), script));
  if (svg.empty())
    throw UsageError("gnuplot has drawn nothing");
  return svg;
}

} // namespace tmd
