// The bits are those that `tmd show --raw` prints.
#include "result/raw_list.hpp"

#include "format/encoding.hpp"
#include "tmd/error.hpp"

#include <charconv>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace tmd::result {

void write_raw(const support::TextSink& sink, const job::Job& job, std::span<const Case> cases) {
  if (job.argument_precision > job.format.precision)
    throw UsageError(fmt::format("arguments of {} bits are no numbers of {}", job.argument_precision, job.format.name));
  std::string bytes;
  for (const Case& one : cases) {
    std::string digits = format::encoding_of(job.format, to_hex(one.x));
    bytes.clear();
    for (digits.erase(0, 2); !digits.empty(); digits.resize(digits.size() - 2)) {
      unsigned byte = 0;
      std::from_chars(digits.data() + digits.size() - 2, digits.data() + digits.size(), byte, 16);
      bytes += static_cast<char>(byte);
    }
    sink(bytes);
  }
}

} // namespace tmd::result
