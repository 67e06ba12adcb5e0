// How the ranks of a search exchange messages, from any rank to any other.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace tmd::cluster {

struct Message {
  int from = 0;
  std::string text;
};

// One rank's end. Used by one thread at a time. Messages from one rank to another arrive in the order in which they
// were sent, each once.
class Transport {
public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int ranks() const = 0;
  [[nodiscard]] virtual std::string host() const = 0; // a name of the machine
  // This rank's number among those on its machine, counted from 0, and their number.
  [[nodiscard]] virtual int local_rank() const = 0;
  [[nodiscard]] virtual int local_ranks() const = 0;

  // Does not wait for the receiver.
  virtual void send(int to, std::string text) = 0;
  // The next message to this rank; nothing if none has arrived.
  [[nodiscard]] virtual std::optional<Message> receive() = 0;
  // Whether all messages have been sent.
  [[nodiscard]] virtual bool has_sent() = 0;
  // Ends all ranks at once, with that exit status, if one of them cannot go on.
  virtual void abort(int status) = 0;
};

} // namespace tmd::cluster
