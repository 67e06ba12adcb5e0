// A system that refuses on purpose: a library to be loaded before the C library (LD_PRELOAD), which passes the
// program's calls on, but for a fault. TMD_FAULT says which, "KIND CALL AFTER":
//
//   once CALL AFTER   of the calls, the one that comes when AFTER have been as they should be is refused
//   ever CALL AFTER   and so are all that follow
//   room write AFTER  files take AFTER bytes, the last of them perhaps by half a call, and then none
//
// CALL is the name of one of the functions below, `new` for operator new. Of `write`, only those to files
// count, and not to standard output and error: pipes do not fill up for good.
// TMD_FAULT_LOG names a file for two numbers: how many calls (bytes, for `room`) there were, and how many were refused.
#include "next_function.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

// Plain data that can be used before constructors have run, because others' constructors call these functions, too.
char kind[8];
char of[32];
unsigned long after = 0;
std::atomic<bool> armed = false;
std::atomic<unsigned long> calls = 0;
std::atomic<unsigned long> refused = 0;

__attribute__((constructor)) void arm() {
  const char* fault = std::getenv("TMD_FAULT");
  armed = fault != nullptr && std::sscanf(fault, "%7s %31s %lu", kind, of, &after) == 3;
}

__attribute__((destructor)) void log() {
  armed = false;
  if (const char* file = std::getenv("TMD_FAULT_LOG"))
    if (std::FILE* to = std::fopen(file, "w")) {
      std::fprintf(to, "%lu %lu\n", calls.load(), refused.load());
      std::fclose(to);
    }
}

// Whether code is the program's: the first that the loader names.
bool is_program(const void* code) {
  static const auto range = [] {
    std::pair<std::uintptr_t, std::uintptr_t> result{0, 0};
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* to) {
          auto& [first, last] = *static_cast<decltype(result)*>(to);
          first = info->dlpi_addr;
          for (int i = 0; i < info->dlpi_phnum; ++i)
            if (info->dlpi_phdr[i].p_type == PT_LOAD)
              last = std::max<std::uintptr_t>(last, first + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz);
          return 1;
        },
        &result);
    return result;
  }();
  const auto place = reinterpret_cast<std::uintptr_t>(code);
  return range.first <= place && place < range.second;
}

bool is(std::string_view call) { return armed && call == of && std::strcmp(kind, "room") != 0; }

// Whether this call is refused.
bool refuses(std::string_view call) {
  if (!is(call))
    return false;
  const unsigned long before = calls++;
  const bool meant = before == after || (before > after && std::strcmp(kind, "ever") == 0);
  if (meant)
    ++refused;
  return meant;
}

int refuse(int error) {
  errno = error;
  return -1;
}

bool is_file(int descriptor) {
  struct stat status {};
  return descriptor > STDERR_FILENO && ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

// The number of bytes of a call that files still accept.
std::size_t room_for(std::size_t bytes) {
  const unsigned long before = calls.fetch_add(bytes);
  const std::size_t room = std::min<std::size_t>(bytes, after - std::min(after, before));
  if (room < bytes)
    ++refused;
  return room;
}

} // namespace

// Refuses only the program's own calls: drivers, and compilers in them, do not always survive it.
void* operator new(std::size_t bytes) {
  if (is_program(__builtin_return_address(0)) && refuses("new"))
    throw std::bad_alloc();
  if (void* place = std::malloc(std::max<std::size_t>(bytes, 1)))
    return place;
  throw std::bad_alloc();
}

extern "C" {

ssize_t write(int descriptor, const void* from, std::size_t bytes) {
  static auto* const next = tmd::next_function<decltype(write)>("write");
  if (armed && std::strcmp(of, "write") == 0 && is_file(descriptor)) {
    if (std::strcmp(kind, "room") == 0) {
      const std::size_t room = room_for(bytes);
      return room == 0 && bytes > 0 ? refuse(ENOSPC) : next(descriptor, from, room);
    }
    if (refuses("write"))
      return refuse(ENOSPC);
  }
  return next(descriptor, from, bytes);
}

int fsync(int descriptor) {
  static auto* const next = tmd::next_function<decltype(fsync)>("fsync");
  return refuses("fsync") ? refuse(EIO) : next(descriptor);
}

int fdatasync(int descriptor) {
  static auto* const next = tmd::next_function<decltype(fdatasync)>("fdatasync");
  return refuses("fdatasync") ? refuse(EIO) : next(descriptor);
}

int ftruncate(int descriptor, off_t bytes) noexcept {
  static auto* const next = tmd::next_function<decltype(ftruncate)>("ftruncate");
  return refuses("ftruncate") ? refuse(EIO) : next(descriptor, bytes);
}

ssize_t pread(int descriptor, void* to, std::size_t bytes, off_t at) {
  static auto* const next = tmd::next_function<decltype(pread)>("pread");
  return refuses("pread") ? refuse(EIO) : next(descriptor, to, bytes, at);
}

int rename(const char* from, const char* to) noexcept {
  static auto* const next = tmd::next_function<decltype(rename)>("rename");
  return refuses("rename") ? refuse(EACCES) : next(from, to);
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  static auto* const next = tmd::next_function<decltype(linkat)>("linkat");
  return refuses("linkat") ? refuse(EPERM) : next(from_folder, from, to_folder, to, flags);
}

int open(const char* file, int flags, ...) {
  static auto* const next = tmd::next_function<decltype(open)>("open");
  mode_t mode = 0;
  if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  return refuses("open") ? refuse(EMFILE) : next(file, flags, mode);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*), void* of_it) {
  static auto* const next = tmd::next_function<decltype(pthread_create)>("pthread_create");
  return refuses("pthread_create") ? EAGAIN : next(thread, attributes, function, of_it);
}
}
