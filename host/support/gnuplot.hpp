// Figures through gnuplot, which is asked for only when a figure is.
#pragma once

#include <string>
#include <string_view>

namespace tmd {

// For a command that will draw a figure, before its work. Throws UsageError when gnuplot is missing or cannot draw SVG.
void require_gnuplot();

// The SVG, of `width` by 480 pixels, that gnuplot makes of a script, which must not set a terminal or an output.
// Throws UsageError when gnuplot is missing or fails.
[[nodiscard]] std::string gnuplot_svg(std::string_view script, int width = 800);

} // namespace tmd
