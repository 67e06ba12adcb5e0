#include "support/text_source.hpp"

#include <string>

namespace tmd::support {

namespace {

struct Enough {}; // thrown to stop a source

} // namespace

TextSource source_of(std::string_view text) {
  return [text](const TextSink& sink) { sink(text); };
}

void each_line(const TextSource& text, const std::function<void(const Line&)>& use) {
  std::string begun; // the beginning of a line whose end is in a later piece
  std::size_t number = 0;
  text([&](std::string_view piece) {
    for (std::size_t end = piece.find('\n'); end != std::string_view::npos; end = piece.find('\n')) {
      if (begun.empty()) {
        use({piece.substr(0, end), ++number, true});
      } else {
        begun.append(piece.substr(0, end));
        use({begun, ++number, true});
        begun.clear();
      }
      piece.remove_prefix(end + 1);
    }
    begun.append(piece);
  });
  if (!begun.empty())
    use({begun, ++number, false});
}

bool any_line(const TextSource& text, const std::function<bool(const Line&)>& is_such) {
  try {
    each_line(text, [&](const Line& line) {
      if (is_such(line))
        throw Enough();
    });
  } catch (const Enough&) {
    return true;
  }
  return false;
}

} // namespace tmd::support
