// The number of an open file, which the destructor closes.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace tmd::support {

class Descriptor {
public:
  Descriptor() = default; // no file
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

  // Writes the whole text. False, with errno set, on failure.
  [[nodiscard]] bool write(std::string_view text) const;
  // Writes the whole text to a socket. A closed other end is an error like others, and raises no signal.
  [[nodiscard]] bool send(std::string_view text) const;
  // Appends what can be read at once, at most 64 KiB, and waits if there is nothing yet. Closes itself at the end of
  // the file, and if reading fails.
  void read(std::string& text);

private:
  int number_ = -1;
};

// Text written to `in` is read from `out`.
struct PipeEnds {
  Descriptor out;
  Descriptor in;
};

// Child processes do not inherit these. Both functions throw DeviceError if none can be made.
[[nodiscard]] PipeEnds make_pipe();
// Two ends: text written to one is read from the other.
[[nodiscard]] std::pair<Descriptor, Descriptor> make_socket_pair();

} // namespace tmd::support
