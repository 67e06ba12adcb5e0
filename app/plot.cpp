// tmd plot: what a search has found, as a figure.
#include "commands.hpp"
#include "engine/domains/tunables.hpp"
#include "options.hpp"
#include "standard_streams.hpp"

#include "report/plot.hpp"
#include "result/journal.hpp"
#include "result/result_check.hpp"
#include "result/result_file.hpp"
#include "support/compressed_file.hpp"
#include "support/gnuplot.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tmd::app {

namespace {

// What is drawn.
struct Drawn {
  OwnedJob owned;
  SearchResult result;
  std::vector<SearchedPart> parts; // none where no journal says how long they took
};

Drawn read_journal_of(const TextSource& text, const std::string& name) {
  JournalContents journal = parse_journal(text, name);
  std::vector<SearchedPart> parts;
  parts.reserve(journal.parts.size());
  for (const JournalPart& part : journal.parts)
    parts.push_back(
        {part.ranks, fmt::format("{}: {}", part.device, journal.devices.at(part.device).name), part.seconds});
  return {std::move(journal.owned), std::move(journal.result), std::move(parts)};
}

// Throws UsageError where it is no result, and for the first thing that is wrong with it.
Drawn read_drawn(const std::string& name) {
  const TextSource text = text_of(name);
  if (looks_like_journal(text))
    return read_journal_of(text, name);
  const ResultFile file = read_records(text, name);
  return {file.owned, to_search_result(file), {}};
}

// In the order in which they are drawn, each once.
std::vector<Panel> panels_of(const std::vector<std::string>& names, bool has_parts) {
  std::vector<Panel> panels;
  for (std::size_t i = 0; i < panel_names.size(); ++i) {
    const auto panel = static_cast<Panel>(i);
    bool wanted = names.empty() && (panel != Panel::time || has_parts);
    for (const std::string& name : names)
      wanted = wanted || find_name("panel", name, panel_names) == i;
    if (wanted)
      panels.push_back(panel);
  }
  return panels;
}

} // namespace

int plot(const Arguments& arguments) {
  cxxopts::Options options("tmd plot", "Draws what a search has found, with gnuplot: how many cases there are by their "
                                       "bits, where they\nare, and what took the time.");
  options.custom_help("RESULT --output FILE [OPTION ...]").positional_help("").set_width(120);
  const auto text = [] { return cxxopts::value<std::string>(); };
  auto add = options.add_options();
  add("o,output", "the figure: .svg, .png or .pdf", text(), "FILE");
  add("what", "draw this alone: cases, range, time (of a journal); may be repeated (default: all that there is)",
      text(), "NAME");
  add("h,help", "this text");
  options.add_options("positional")("words", "", cxxopts::value<std::vector<std::string>>());
  options.parse_positional({"words"});
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
  const FigureFormat format = figure_format(name);
  const std::vector<std::string> wanted = values_of(parsed, "what");
  (void)panels_of(wanted, false);
  const AtomicFile output(name);
  require_gnuplot(format); // before a long file is read

  const Drawn drawn = read_drawn(words[0]);
  const std::vector<Panel> panels = panels_of(wanted, !drawn.parts.empty());
  if (drawn.parts.empty() && !panels.empty() && panels.back() == Panel::time)
    throw UsageError(fmt::format("'{}' does not say when what was searched: only a journal does", words[0]));
  const Plot plot = plot_of(drawn.owned.job, drawn.result, drawn.parts, panels);
  output.commit(gnuplot_figure(plot.script, format, plot.size));
  return 0;
}

} // namespace tmd::app
