// Where things are: what is installed with the program, and what it keeps for its user.
#pragma once

#include <filesystem>
#include <optional>

namespace tmd::support {

// The folder of the kernel files: $TMD_KERNEL_PATH, else share/tmd/cl_kernels beside the executable's folder.
// Throws DeviceError when there is none.
[[nodiscard]] std::filesystem::path kernel_folder();

// The program `tmd` beside the executable, or that is installed with the shared library, for processes of its own;
// nothing where there is none.
[[nodiscard]] std::optional<std::filesystem::path> own_program();

// $TMD_CONFIG_PATH/devices, else share/tmd/configs/devices beside the executable's folder.
// Throws UsageError when TMD_CONFIG_PATH names no folder.
[[nodiscard]] std::filesystem::path shipped_profile_folder();

// What the program loads when it needs it: the folder lib/tmd beside the executable's folder.
[[nodiscard]] std::filesystem::path module_folder();

// The Python modules: share/tmd/python beside the executable's folder.
[[nodiscard]] std::filesystem::path python_folder();

// $XDG_CONFIG_HOME/tmd/devices, else ~/.config/tmd/devices; nothing where neither variable holds an absolute path.
[[nodiscard]] std::optional<std::filesystem::path> user_profile_folder();

// What can be made again: $XDG_CACHE_HOME/tmd, else ~/.cache/tmd; nothing where neither variable holds an absolute
// path.
[[nodiscard]] std::optional<std::filesystem::path> user_cache_folder();

// The journals of tunings, in the user's cache.
[[nodiscard]] std::optional<std::filesystem::path> tuning_journal_folder();

// The first file of this name in the folders of PATH that can be executed; nothing where there is none.
[[nodiscard]] std::optional<std::filesystem::path> find_program(const char* name);

} // namespace tmd::support
