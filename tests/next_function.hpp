// For libraries that are loaded before another one (LD_PRELOAD) and pass calls on.
#pragma once

#include <dlfcn.h>

namespace tmd {

// The function of that name in the libraries behind this one.
template <typename Function> Function* next_function(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

} // namespace tmd
