#include "libm_page.hpp"

#include "options.hpp"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

namespace tmd::app {

LibmPage::LibmPage(const std::string& file, std::string format) : format_(std::move(format)), file_(file) {}

std::optional<LibmPage> LibmPage::asked(const cxxopts::ParseResult& parsed) {
  if (parsed.count("report") == 0)
    return std::nullopt;
  const std::string file = file_name(parsed, "report");
  const std::string extension = std::filesystem::path(file).extension().string();
  if (extension != ".html" && extension != ".md")
    throw UsageError(fmt::format("cannot tell what page '{}' is to be: its name must end in .html or .md", file));
  return LibmPage(file, extension.substr(1));
}

void LibmPage::write(std::string_view records) const {
  std::string page;
  module_.run(
      {"--format", format_, "-"}, [&](std::string_view piece) { page += piece; }, records);
  file_.commit(page);
}

} // namespace tmd::app
