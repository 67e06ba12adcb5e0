#include "support/descriptor.hpp"

#include "tmd/error.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>

namespace tmd::support {

namespace {

// `put` takes as much of a text as it can, as write() does.
template <typename Put> bool put_all(std::string_view text, Put put) {
  while (!text.empty()) {
    const ssize_t count = put(text.data(), text.size());
    if (count < 0 && errno != EINTR)
      return false;
    text.remove_prefix(count < 0 ? 0 : static_cast<std::size_t>(count));
  }
  return true;
}

} // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  Descriptor taken(std::move(other));
  std::swap(number_, taken.number_);
  return *this;
}

void Descriptor::close() {
  if (number_ >= 0)
    ::close(number_);
  number_ = -1;
}

bool Descriptor::write(std::string_view text) const {
  return put_all(text, [&](const char* data, std::size_t size) { return ::write(number_, data, size); });
}

bool Descriptor::send(std::string_view text) const {
  return put_all(text, [&](const char* data, std::size_t size) { return ::send(number_, data, size, MSG_NOSIGNAL); });
}

void Descriptor::read(std::string& text) {
  std::array<char, 1 << 16> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
  const ssize_t size = ::read(number_, buffer.data(), buffer.size());
  if (size > 0)
    text.append(buffer.data(), static_cast<std::size_t>(size));
  else if (size == 0 || errno != EINTR)
    close();
}

PipeEnds make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw DeviceError(fmt::format("cannot make a pipe to another process: {}", std::strerror(errno)));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

std::pair<Descriptor, Descriptor> make_socket_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw DeviceError(fmt::format("cannot make a channel to another process: {}", std::strerror(errno)));
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

} // namespace tmd::support
