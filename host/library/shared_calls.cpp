#include "library/shared_calls.hpp"

#include "tmd/error.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tmd::library {

SharedCalls::SharedCalls(std::size_t size, std::size_t operands)
    : memory_(::memfd_create("tmd-calls", MFD_CLOEXEC | MFD_ALLOW_SEALING)), size_(size), operands_(operands) {
  // Sealed: a child that cut it short would end its parent with a bus error.
  if (!memory_.is_open() || ::ftruncate(memory_.number(), static_cast<off_t>(bytes())) != 0 ||
      ::fcntl(memory_.number(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0)
    throw DeviceError(fmt::format("no memory to share with a process: {}", std::strerror(errno)));
  map();
}

SharedCalls::SharedCalls(support::Descriptor memory, std::size_t size, std::size_t operands)
    : memory_(std::move(memory)), size_(size), operands_(operands) {
  map();
}

SharedCalls::~SharedCalls() { ::munmap(bytes_, bytes()); }

void SharedCalls::map() {
  void* const address = ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, memory_.number(), 0);
  if (address == MAP_FAILED)
    throw DeviceError(fmt::format("no memory to share with a process: {}", std::strerror(errno)));
  bytes_ = static_cast<std::byte*>(address);
}

} // namespace tmd::library
