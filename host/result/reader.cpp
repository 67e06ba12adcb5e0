#include "result/reader.hpp"

#include "result/record.hpp"
#include "support/compressed_file.hpp"
#include "tmd/error.hpp"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace tmd::result {

namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf"; // written by some editors

support::TextSource without_mark(support::TextSource text) {
  return [text = std::move(text)](const support::TextSink& sink) {
    bool is_first = true;
    text([&](std::string_view piece) {
      if (std::exchange(is_first, false) && piece.starts_with(byte_order_mark))
        piece.remove_prefix(byte_order_mark.size());
      sink(piece);
    });
  };
}

// Standard input can be read once, but texts are read several times.
support::TextSource standard_input() {
  return [text = std::make_shared<const std::string>(support::read_file("/dev/stdin"))](const support::TextSink& sink) {
    sink(*text);
  };
}

} // namespace

ResultText open_result(const std::string& name) {
  return name == "-" ? recognize(standard_input(), "standard input") : recognize(support::text_of(name), name);
}

ResultText recognize(support::TextSource source, std::string name) {
  ResultText result{std::move(name), FileKind::empty, without_mark(std::move(source))};
  // Output of a driver may precede records and comments, so all lines are tried until one is clear.
  (void)support::any_line(result.text, [&](const support::Line& line) {
    if (!is_utf8(line.text))
      throw UsageError(fmt::format("'{}' is not UTF-8 text: line {} has other bytes", result.name, line.number));
    const std::size_t begin = line.text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos)
      return false;
    if (is_record_of("journal", line.text) && line.number == 1)
      result.kind = FileKind::journal;
    else if (is_record_of("pair_journal", line.text) && line.number == 1)
      result.kind = FileKind::pair_journal;
    else if (is_record_of("pairs", line.text) && line.number == 1)
      result.kind = FileKind::pair_records;
    else if (is_record_of("publication", line.text))
      result.kind = FileKind::publication;
    else if (is_record_of("search", line.text))
      result.kind = FileKind::records;
    else if (line.text.starts_with("# Hard-to-round cases of ") || line.text.starts_with("# Made by tmd "))
      result.kind = FileKind::list;
    else if (result.kind == FileKind::empty)
      result.kind = line.text[begin] == '{' ? FileKind::json : FileKind::other;
    return result.kind != FileKind::json && result.kind != FileKind::other;
  });
  return result;
}

std::string_view description(FileKind kind) {
  switch (kind) {
  case FileKind::records:
    return "records of a search";
  case FileKind::list:
    return "a list of cases";
  case FileKind::journal:
    return "a journal of a search";
  case FileKind::pair_journal:
    return "a journal of a search of pairs";
  case FileKind::pair_records:
    return "records of a search of pairs";
  case FileKind::publication:
    return "the records of a published page";
  case FileKind::json:
    return "JSON of something else than a search";
  case FileKind::empty:
    return "an empty file";
  case FileKind::other:
    break;
  }
  return "neither a list nor records of this program";
}

void require_journal(const ResultText& text) {
  if (text.kind == FileKind::journal || text.kind == FileKind::pair_journal || text.kind == FileKind::json ||
      text.kind == FileKind::empty)
    return;
  const std::string journal = text.name + ".journal";
  std::error_code none;
  throw UsageError(fmt::format("'{}' is {}, not a journal{}", text.name, description(text.kind),
                               std::filesystem::exists(journal, none) ? fmt::format(": that is '{}'", journal) : ""));
}

bool is_utf8(std::string_view text) {
  try {
    (void)Json(text).dump(); // throws for invalid UTF-8
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

} // namespace tmd::result
