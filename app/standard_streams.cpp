#include "standard_streams.hpp"

#include "error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tmd::app {

void open_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0)
      (void)::open("/dev/null",
                   descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY); // takes the lowest free number
}

void flush_output(int known_error) {
  errno = known_error;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw UsageError(fmt::format("cannot write to standard output{}{}", errno != 0 ? ": " : "",
                                 errno != 0 ? std::strerror(errno) : ""));
}

} // namespace tmd::app
