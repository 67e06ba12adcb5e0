// Files that may be compressed.
#pragma once

#include "support/text_source.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace tmd::support {

enum class Packing { none, gzip, xz };

// The compression that a file's name asks for: `.gz`, `.xz`.
[[nodiscard]] Packing packing_of(const std::filesystem::path& file);

// The compressed text, passed on piece by piece: the same bytes at any time and under any name. Throws std::bad_alloc,
// and what the source and the sink throw.
void pack(const TextSource& text, Packing packing, const TextSink& sink);
// The whole compressed text at once.
[[nodiscard]] std::string pack(std::string_view text, Packing packing);

// The text of a file, uncompressed if its first bytes are those of xz or gzip; the file is read anew each time. The
// source throws UsageError, with the file's name, if the file cannot be read, or its compressed data is damaged or cut
// off.
[[nodiscard]] TextSource text_of(const std::filesystem::path& file);
// The whole text at once.
[[nodiscard]] std::string read_file(const std::filesystem::path& file);

} // namespace tmd::support
