// The sentence and the exit status that a user gets for an exception.
#include "tmd/error.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <new>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace tmd::test {

namespace {

template <typename F> Failure failure(F action) {
  try {
    action();
  } catch (const std::exception& error) {
    return failure_of(error);
  }
  return {Status::done, ""};
}

} // namespace

TEST_CASE("an error's own sentence and status") {
  const Failure usage = failure([] { throw UsageError("no such file"); });
  CHECK(usage.status == Status::usage);
  CHECK(usage.sentence == "no such file");
  CHECK(failure([] { throw BuildError("x"); }).status == Status::device);
  CHECK(failure([] { throw SoundnessError("x"); }).status == Status::unsound);
}

TEST_CASE("out of memory is no unsound result, and says what to do") {
  // The exceptions are thrown by the library, not made by the test.
  const Failure memory = failure([] { (void)std::vector<char>(static_cast<std::size_t>(1) << 62); });
  CHECK(memory.status == Status::device);
  CHECK(memory.sentence.starts_with("out of memory: "));
  CHECK(memory.sentence.find("--bits") != std::string::npos);
  CHECK(failure([] { throw std::bad_array_new_length(); }).status == Status::device);
  const auto no_thread = std::make_error_code(std::errc::resource_unavailable_try_again);
  CHECK(failure([&] { throw std::system_error(no_thread); }).status == Status::device);
  CHECK(failure([&] { throw std::system_error(std::make_error_code(std::errc::io_error)); }).status == Status::unsound);
}

TEST_CASE("what nobody foresaw is not to be trusted") {
  const Failure unknown = failure([] { throw std::logic_error("index 7"); });
  CHECK(unknown.status == Status::unsound);
  CHECK(unknown.sentence == "internal error, please report it: index 7");
}

} // namespace tmd::test
