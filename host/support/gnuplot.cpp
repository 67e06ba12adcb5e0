#include "support/gnuplot.hpp"

#include "support/child_process.hpp"
#include "support/installed_files.hpp"
#include "tmd/error.hpp"

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

// Pixels, and sizes of letters in them, mean the same in all of them: figures look alike.
std::string terminal(FigureFormat format, const FigureSize& size) {
  constexpr double pixels_per_inch = 100;
  switch (format) {
  case FigureFormat::png:
    return fmt::format(
        "set terminal pngcairo size {},{} font 'sans,12' fontscale 0.75 background 'white'\nset output\n", size.width,
        size.height);
  case FigureFormat::pdf:
    return fmt::format(
        "set terminal pdfcairo size {:.2f}in,{:.2f}in font 'sans,12' fontscale 0.72 background 'white'\nset output\n",
        size.width / pixels_per_inch, size.height / pixels_per_inch);
  case FigureFormat::svg:
    break;
  }
  return fmt::format("set terminal svg size {},{} dynamic background 'white'\nset output\n", size.width, size.height);
}

} // namespace

FigureFormat figure_format(const std::filesystem::path& file) {
  std::filesystem::path name = file.filename();
  if (name == "-")
    return FigureFormat::svg;
  if (name.extension() == ".gz" || name.extension() == ".xz")
    name = name.stem();
  const std::filesystem::path ending = name.extension();
  if (ending == ".png")
    return FigureFormat::png;
  if (ending == ".pdf")
    return FigureFormat::pdf;
  if (ending != ".svg")
    throw UsageError(
        fmt::format("cannot tell what to draw into '{}': its name must end in .svg, .png or .pdf", file.string()));
  return FigureFormat::svg;
}

void require_gnuplot(FigureFormat format) { (void)run_gnuplot(terminal(format, {})); }

std::string gnuplot_figure(std::string_view script, FigureFormat format, const FigureSize& size) {
  std::string figure = run_gnuplot(fmt::format("{}{}\n", terminal(format, size), script));
  if (figure.empty())
    throw UsageError("gnuplot has drawn nothing");
  return figure;
}

std::string gnuplot_svg(std::string_view script, int width) {
  return gnuplot_figure(script, FigureFormat::svg, {.width = width});
}

std::string gnuplot_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text)
    result += c == '\'' ? "''" : std::string(1, static_cast<unsigned char>(c) < ' ' ? ' ' : c);
  return result + "'";
}

} // namespace tmd
