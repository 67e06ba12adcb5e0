// Texts in pieces, and their lines.
#include "host/support/text_source.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

namespace tmd::support {

namespace {

using Seen = std::vector<std::tuple<std::string, std::size_t, bool>>;

// The text in pieces of that many characters; `handed`, if not null, counts them.
TextSource in_pieces(std::string text, std::size_t size, std::size_t* handed = nullptr) {
  return [text = std::move(text), size, handed](const TextSink& sink) {
    for (std::size_t at = 0; at < text.size(); at += size) {
      const std::string piece = text.substr(at, size); // it is gone after the call
      if (handed != nullptr)
        *handed += piece.size();
      sink(piece);
    }
  };
}

Seen lines_of(const TextSource& text) {
  Seen seen;
  each_line(text, [&](const Line& line) { seen.emplace_back(line.text, line.number, line.has_end); });
  return seen;
}

} // namespace

TEST_CASE("lines are the same however their text is cut into pieces") {
  for (const auto& [text, expected] :
       {std::pair<std::string, Seen>{"", {}},
        {"\n", {{"", 1, true}}},
        {"a", {{"a", 1, false}}},
        {"one\n\nthird line\nend", {{"one", 1, true}, {"", 2, true}, {"third line", 3, true}, {"end", 4, false}}},
        {"one\ntwo\n", {{"one", 1, true}, {"two", 2, true}}}}) {
    CHECK(lines_of(source_of(text)) == expected);
    for (std::size_t size = 1; size < 12; ++size)
      CHECK(lines_of(in_pieces(text, size)) == expected);
  }
}

TEST_CASE("a line is looked for no further than it stands") {
  std::string text = "one\ntwo\n";
  for (int i = 0; i < 1000; ++i)
    text += "another\n";
  std::size_t handed = 0;
  CHECK(any_line(in_pieces(text, 4, &handed), [](const Line& line) { return line.text == "two"; }));
  CHECK(handed == 8);
  CHECK(!any_line(in_pieces(text, 5), [](const Line& line) { return line.text == "three"; }));
  CHECK(!any_line(source_of(""), [](const Line&) { return true; }));
  CHECK(any_line(source_of("no end"), [](const Line& line) { return !line.has_end; }));
}

} // namespace tmd::support
