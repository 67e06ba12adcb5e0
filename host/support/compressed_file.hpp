// Files that may be compressed.
#pragma once

#include <filesystem>
#include <string>

namespace tmd {

// What a file holds, unpacked where it is xz or gzip, which its first bytes tell. Throws UsageError, with the file's
// name, when it cannot be read, and when what it packs is damaged or cut off.
[[nodiscard]] std::string read_file(const std::filesystem::path& file);

} // namespace tmd
