// The errors that reach a user: a sentence and an exit status (app/tmd.1, "Exit status").
#pragma once

#include "tmd/api.hpp"

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace tmd {

enum class Status { done = 0, partial = 1, usage = 2, device = 3, unsound = 4, interrupted = 130 };

class TMD_API Error : public std::runtime_error {
public:
  Error(Status status, const std::string& sentence) : std::runtime_error(sentence), status_(status) {}
  [[nodiscard]] Status status() const noexcept { return status_; }

private:
  Status status_;
};

// The request cannot be fulfilled as given: an unknown name, a bad number, an unwritable file.
struct TMD_API UsageError : Error {
  explicit UsageError(const std::string& sentence) : Error(Status::usage, sentence) {}
};

// A mistake in one option of a request, a member of SearchSpec, with its name on the command line.
class TMD_API OptionError : public UsageError {
public:
  OptionError(std::string option, const std::string& sentence) : UsageError(sentence), option_(std::move(option)) {}
  // The name without hyphens in front: "from", "argument-precision".
  [[nodiscard]] const std::string& option() const noexcept { return option_; }

private:
  std::string option_;
};

// There is no usable device, or a device, driver or kernel failed.
struct TMD_API DeviceError : Error {
  explicit DeviceError(const std::string& sentence) : Error(Status::device, sentence) {}

protected:
  using Error::Error;
};

// A kernel could not be built; the text has the compiler's messages.
struct TMD_API BuildError : DeviceError {
  using DeviceError::DeviceError;
};

// A device has given evidence of wrong results: none of its results can be trusted, even if they look right. If there
// are other devices, they do its work again.
struct TMD_API FaultError : DeviceError {
  explicit FaultError(const std::string& sentence, Status status = Status::unsound) : DeviceError(status, sentence) {}
};

// A check that protects the completeness of the result failed: nothing of the run can be trusted.
struct TMD_API SoundnessError : Error {
  explicit SoundnessError(const std::string& sentence) : Error(Status::unsound, sentence) {}
};

// Thrown by a search that the user has stopped. It is no error and has no sentence.
struct TMD_API Interrupted {};

// The sentence and the exit status for an exception.
struct Failure {
  Status status;
  std::string sentence;
};

// Out of memory has the status of a failed device: earlier findings are still right. Only an unexpected exception has
// the status of an unsound result.
[[nodiscard]] TMD_API Failure failure_of(const std::exception& error);

} // namespace tmd
