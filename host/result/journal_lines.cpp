#include "result/journal_lines.hpp"

#include "tmd/error.hpp"

#include <cstdint>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <zlib.h>

namespace tmd::result {

namespace {

constexpr std::string_view check_key = R"(,"crc":")";
constexpr std::size_t check_digits = 8;
constexpr std::size_t check_size = check_key.size() + check_digits + 2; // and "}

std::uint32_t check_of(std::string_view text) {
  return static_cast<std::uint32_t>(
      ::crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), text.size())); // NOLINT(*-reinterpret-cast)
}

} // namespace

std::string open_record(const Json& record) {
  std::string text = record.dump();
  text.pop_back();
  return text;
}

void close_record(std::string& text, std::size_t number) {
  text += fmt::format(R"(,"seq":{})", number);
  const std::uint32_t check = check_of(text);
  text += fmt::format("{}{:08x}\"}}", check_key, check);
}

void require_undamaged(std::string_view line) {
  const std::size_t size = line.size() < check_size ? 0 : line.size() - check_size;
  if (size == 0 || line.substr(size) != fmt::format("{}{:08x}\"}}", check_key, check_of(line.substr(0, size))))
    throw UsageError("it is damaged");
}

void require_number(const Json& record, std::size_t number) {
  if (record.at("seq") != number)
    throw UsageError(
        fmt::format("it is the record {}, not {}: a line is missing or duplicated", record.at("seq").dump(), number));
}

bool each_whole_line(const support::TextSource& text, std::string_view name,
                     const std::function<void(std::string_view, std::size_t)>& read) {
  bool is_torn = false;
  support::each_line(text, [&](const support::Line& line) {
    is_torn = !line.has_end;
    if (is_torn)
      return;
    const auto sentence = [&](const char* what) {
      return fmt::format("the journal '{}', line {}: {}", name, line.number, what);
    };
    try {
      read(line.text, line.number - 1);
    } catch (const Json::exception&) {
      throw UsageError(sentence("a key of the record is missing or has the wrong type"));
    } catch (const UsageError& error) {
      throw UsageError(sentence(error.what()));
    } catch (const SoundnessError& error) {
      throw SoundnessError(sentence(error.what()));
    }
  });
  return is_torn;
}

std::string now_in_utc() { return fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr))); }

} // namespace tmd::result
