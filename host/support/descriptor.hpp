// The number of an open file, which is closed when its owner goes.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace tmd::support {

class Descriptor {
public:
  Descriptor() = default; // of no file
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { close(); }

  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  // Negative when no file is open.
  [[nodiscard]] int number() const { return number_; }
  void close();

  // Writes the whole text. False, with errno set, when that fails.
  [[nodiscard]] bool write(std::string_view text) const;
  // The same to a socket. That its other end is closed is an error like others, and not a signal.
  [[nodiscard]] bool send(std::string_view text) const;
  // Appends what there is, 64 KiB at most, and waits where there is nothing yet. Closes itself at the end of the file,
  // and when reading fails.
  void read(std::string& text);

private:
  int number_ = -1;
};

// What is written to `in` is read from `out`.
struct PipeEnds {
  Descriptor out;
  Descriptor in;
};

// No process that is started inherits these. Both throw DeviceError when there is none to be had.
[[nodiscard]] PipeEnds make_pipe();
// Two ends; what is written to one is read from the other.
[[nodiscard]] std::pair<Descriptor, Descriptor> make_socket_pair();

} // namespace tmd::support
