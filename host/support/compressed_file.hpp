// Files that may be compressed.
#pragma once

#include "support/text_source.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace tmd::support {

enum class Packing { none, gzip, xz };

// What a file is to be packed with, by its name: `.gz`, `.xz`.
[[nodiscard]] Packing packing_of(const std::filesystem::path& file);

// What such a file of the text holds, handed on piece by piece: the same bytes whenever and under whatever name. Throws
// std::bad_alloc, and what the source and the sink throw.
void pack(const TextSource& text, Packing packing, const TextSink& sink);
// The same at once.
[[nodiscard]] std::string pack(std::string_view text, Packing packing);

// What a file holds, unpacked where it is xz or gzip, which its first bytes tell; read anew each time. It throws
// UsageError, with the file's name, when the file cannot be read, and when what it packs is damaged or cut off.
[[nodiscard]] TextSource text_of(const std::filesystem::path& file);
// The same at once.
[[nodiscard]] std::string read_file(const std::filesystem::path& file);

} // namespace tmd::support
