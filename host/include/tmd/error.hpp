// The errors that reach a user: a sentence, and the exit status that goes with it (app/tmd.1, "Exit status").
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

// What was asked for cannot be done as asked: unknown name, bad number, unwritable file.
struct TMD_API UsageError : Error {
  explicit UsageError(const std::string& sentence) : Error(Status::usage, sentence) {}
};

// A mistake in one option of a request: the member of a SearchSpec, by its name on the command line.
class TMD_API OptionError : public UsageError {
public:
  OptionError(std::string option, const std::string& sentence) : UsageError(sentence), option_(std::move(option)) {}
  // Without hyphens before it: "from", "argument-precision".
  [[nodiscard]] const std::string& option() const noexcept { return option_; }

private:
  std::string option_;
};

// No usable device, or a device, driver or kernel failed.
struct TMD_API DeviceError : Error {
  explicit DeviceError(const std::string& sentence) : Error(Status::device, sentence) {}

protected:
  using Error::Error;
};

// A kernel could not be built; the text has the compiler's messages.
struct TMD_API BuildError : DeviceError {
  using DeviceError::DeviceError;
};

// A device has given evidence that it does not do what it is told: nothing that it did can be trusted, also where it
// looked right. Where there are others, they do it again.
struct TMD_API FaultError : DeviceError {
  explicit FaultError(const std::string& sentence, Status status = Status::unsound) : DeviceError(status, sentence) {}
};

// A check that protects the result's completeness failed: nothing of the run can be trusted.
struct TMD_API SoundnessError : Error {
  explicit SoundnessError(const std::string& sentence) : Error(Status::unsound, sentence) {}
};

// Thrown out of a search that the user has stopped: no error, and no sentence.
struct TMD_API Interrupted {};

// What a user is told of an exception, and the exit status.
struct Failure {
  Status status;
  std::string sentence;
};

// Out of memory has the status of a device that failed: what was found until then is not wrong. Only an exception that
// nobody foresaw has that of an unsound result.
[[nodiscard]] TMD_API Failure failure_of(const std::exception& error);

} // namespace tmd
