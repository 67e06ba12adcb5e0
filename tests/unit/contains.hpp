#pragma once

#include <string>

namespace tmd {

inline bool contains(const std::string& text, const std::string& wanted) {
  return text.find(wanted) != std::string::npos;
}

} // namespace tmd
