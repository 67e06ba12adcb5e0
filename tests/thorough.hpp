// How many of its trials a test makes: all of them in `tests/run --all`, which is run before a release, else a share.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace tmd::test {

inline const bool tries_all = std::getenv("TMD_TEST_ALL") != nullptr;
inline std::uint64_t trials(std::uint64_t all, std::uint64_t share = 4) { return tries_all ? all : all / share; }

} // namespace tmd::test
