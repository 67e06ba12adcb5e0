// What is published, for people: pages in Markdown.
#pragma once

#include "publish/publication.hpp"

#include <string>
#include <vector>

namespace tmd {

// A publication and its files: FORMAT/NAME.md, NAME.wc.xz and NAME.jsonl.xz.
struct PublishedPage {
  std::string name;
  Publication published;
};

// Of one function: how far it has been searched, its cases by binade beside their expectation, the hardest ones, exact
// and undecided ones, ranges, and the searches.
[[nodiscard]] std::string function_page(const PublishedPage& page);

// The table of all, by format and name.
[[nodiscard]] std::string results_page(const std::vector<PublishedPage>& pages);

} // namespace tmd
