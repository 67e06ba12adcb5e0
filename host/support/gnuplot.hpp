// Figures through gnuplot, which is asked for only when a figure is.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tmd {

enum class FigureFormat { svg, png, pdf };

// What a figure's file is, by the end of its name; `.gz` and `.xz` behind that do not count, and `-` is SVG. Throws
// UsageError for another end.
[[nodiscard]] FigureFormat figure_format(const std::filesystem::path& file);

// In pixels; in PDF a hundred of them are an inch.
struct FigureSize {
  int width = 800;
  int height = 480;
};

// For a command that will draw a figure, before its work. Throws UsageError when gnuplot is missing or cannot draw in
// this format.
void require_gnuplot(FigureFormat format = FigureFormat::svg);

// What gnuplot makes of a script, which must not set a terminal or an output. Throws UsageError when gnuplot is missing
// or fails.
[[nodiscard]] std::string gnuplot_figure(std::string_view script, FigureFormat format, const FigureSize& size);

// The same as SVG, 480 pixels high.
[[nodiscard]] std::string gnuplot_svg(std::string_view script, int width = 800);

// A text in gnuplot's quotes, in which nothing but the text itself is left; for what is `noenhanced`.
[[nodiscard]] std::string gnuplot_quoted(std::string_view text);

} // namespace tmd
