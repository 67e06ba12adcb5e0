// Journals whose lines are counted and have right checksums, so that what is in them is read: each line of the input
// is a record without both.
#include "host/pairs/power_journal.hpp"
#include "host/result/journal.hpp"
#include "host/result/journal_lines.hpp"
#include "host/result/reader.hpp"
#include "reader.hpp"

#include <string>

namespace {

std::string with_checks(std::string_view text) {
  std::string result;
  std::size_t number = 0;
  tmd::support::each_line(tmd::support::source_of(text), [&](const tmd::support::Line& line) {
    std::string record(line.text);
    if (record.ends_with('}'))
      record.pop_back();
    tmd::result::close_record(record, number++);
    result += record + "\n";
  });
  return result;
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return read_with(data, size, [](std::string_view text) {
    const std::string journal = with_checks(text);
    const tmd::support::TextSource source = tmd::support::source_of(journal);
    if (tmd::result::recognize(source, "input").kind == tmd::result::FileKind::pair_journal)
      (void)tmd::pairs::parse_power_journal(source, "input");
    else
      (void)tmd::result::parse_journal(source, "input");
  });
}
