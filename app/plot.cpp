// tmd plot: draws the findings of a search. python/tmd/plot.py makes the figure.
#include "commands.hpp"
#include "options.hpp"

#include "device/tunables.hpp"
#include "support/python.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace tmd::app {

cxxopts::Options plot_options() {
  cxxopts::Options options("tmd plot",
                           "Draws a search: how many cases there are by their bits, where they are, and what its "
                           "devices did all the time.");
  options.custom_help("RESULT --output FILE [OPTION ...]").positional_help("").set_width(120);
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add("o,output", "the figure: .svg, .png or .pdf; or a page to look through: .html", text(), "FILE");
  add("what", "draw this alone: cases, range, time; may be repeated (default: cases, range)", text(), "NAME");
  add("h,help", "this text");
  options.add_options("positional")("words", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"words"});
  return options;
}

int plot(const Arguments& arguments) {
  cxxopts::Options options = plot_options();
  const auto parsed = parse(options, "plot", arguments);
  if (parsed.count("help") != 0) {
    fmt::print("{}\nRESULT is a file of `tmd search --json` (packed or not), or a journal.\n\nexample:\n"
               "  tmd plot exp.jsonl -o exp.svg\n",
               options.help({""}));
    return 0;
  }
  const std::vector<std::string> words = values_of(parsed, "words");
  if (words.empty())
    throw UsageError("no result given: `tmd search --json FILE` writes one");
  if (words.size() > 1)
    throw UsageError(fmt::format("unexpected argument '{}': one result at a time", words[1]));
  if (parsed.count("output") == 0)
    throw UsageError("--output is missing: the file of the figure");
  const std::string name = file_name(parsed, "output");
  Arguments request{"--format", support::figure_format(name, true), "--", words[0]};
  for (const std::string& panel : values_of(parsed, "what")) {
    constexpr std::array<std::string_view, 3> panels{"cases", "range", "time"};
    (void)device::find_name("panel", panel, panels);
    request.insert(request.begin(), {"--panel", panel});
  }
  const support::AtomicFile output(name); // opened before a long file is read
  std::string figure;
  support::PythonModule("plot").run(request, [&](std::string_view piece) { figure += piece; });
  output.commit(figure);
  return 0;
}

} // namespace tmd::app
