// Paths of installed files, and of those that the program keeps for its user.
#pragma once

#include <filesystem>
#include <optional>

namespace tmd::support {

// The folder of the kernel files: $TMD_KERNEL_PATH, else share/tmd/cl_kernels beside the executable's folder. Throws
// DeviceError if there is none.
[[nodiscard]] std::filesystem::path kernel_folder();

// The program `tmd` beside the executable, or the one installed with the shared library, for child processes; nothing
// if there is none.
[[nodiscard]] std::optional<std::filesystem::path> own_program();

// $TMD_CONFIG_PATH/devices, else share/tmd/configs/devices beside the executable's folder. Throws UsageError if
// TMD_CONFIG_PATH names no folder.
[[nodiscard]] std::filesystem::path shipped_profile_folder();

// The folder of modules that are loaded when needed: lib/tmd beside the executable's folder.
[[nodiscard]] std::filesystem::path module_folder();

// The Python modules: share/tmd/python beside the executable's folder.
[[nodiscard]] std::filesystem::path python_folder();

// $XDG_CONFIG_HOME/tmd/devices, else ~/.config/tmd/devices; nothing if neither variable holds an absolute path.
[[nodiscard]] std::optional<std::filesystem::path> user_profile_folder();

// The folder for files that can be made again: $XDG_CACHE_HOME/tmd, else ~/.cache/tmd; nothing if neither variable
// holds an absolute path.
[[nodiscard]] std::optional<std::filesystem::path> user_cache_folder();

// The journals of tunings, in the user's cache.
[[nodiscard]] std::optional<std::filesystem::path> tuning_journal_folder();

// The first executable file of this name in the folders of PATH; nothing if there is none.
[[nodiscard]] std::optional<std::filesystem::path> find_program(const char* name);

} // namespace tmd::support
