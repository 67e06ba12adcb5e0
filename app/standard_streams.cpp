#include "standard_streams.hpp"

#include "support/atomic_file.hpp"
#include "support/write_error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tmd::app {

void open_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0)
      (void)::open("/dev/null",
                   descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY); // open() returns the lowest free number
}

void flush_output(int known_error) {
  errno = known_error;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw support::WriteError(fmt::format("cannot write to standard output{}{}", errno != 0 ? ": " : "",
                                          errno != 0 ? std::strerror(errno) : ""));
}

void print_no_tables_beside(std::initializer_list<const std::optional<support::AtomicFile>*> files) {
  if (std::none_of(files.begin(), files.end(), [](const auto* file) { return *file && (*file)->is_standard_output(); }))
    return;
  const support::Descriptor nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (!nowhere.is_open() || std::fflush(stdout) != 0 || ::dup2(nowhere.number(), STDOUT_FILENO) < 0)
    throw support::WriteError(fmt::format("cannot keep the tables out of standard output: {}", std::strerror(errno)));
}

void print_remark(Remark kind, const std::string& sentence) {
  fmt::print(stderr, "tmd: {}: {}\n", kind == Remark::note ? "note" : "warning", sentence);
}

} // namespace tmd::app
