// Files that may be compressed.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace tmd {

enum class Packing { none, gzip, xz };

// What a file is to be packed with, by its name: `.gz`, `.xz`.
[[nodiscard]] Packing packing_of(const std::filesystem::path& file);

// Takes a text, piece by piece.
using TextSink = std::function<void(std::string_view)>;
// Hands a text to a sink, piece by piece.
using TextSource = std::function<void(const TextSink&)>;

// What such a file of the text holds, handed on piece by piece: the same bytes whenever and under whatever name. Throws
// std::bad_alloc, and what the source and the sink throw.
void pack(const TextSource& text, Packing packing, const TextSink& sink);
// The same at once.
[[nodiscard]] std::string pack(std::string_view text, Packing packing);

// What a file holds, unpacked where it is xz or gzip, which its first bytes tell. Throws UsageError, with the file's
// name, when it cannot be read, and when what it packs is damaged or cut off.
[[nodiscard]] std::string read_file(const std::filesystem::path& file);

} // namespace tmd
