// Searches exp on [1, 1 + 2^-13) and prints each hard-to-round case as soon as it is found; doc/guide/cpp.md says more.
#include <tmd/search.hpp>

#include <cstdio>
#include <exception>
#include <string>

int main() {
  tmd::SearchSpec spec;
  spec.functions = {"exp"};
  spec.from = "1";
  spec.to = "1+2^-13";
  spec.argument_precision = 54; // 2^40 arguments
  spec.rounding = tmd::Rounding::directed;
  spec.bits = 33;

  tmd::SearchEvents events;
  events.found = [](const tmd::Case& one) { std::printf("%s %.4f\n", tmd::to_hex(one.x).c_str(), one.bits); };
  events.progress = [](const tmd::Progress& now) {
    std::fprintf(stderr, "\r%3.0f %%", 100 * static_cast<double>(now.done) / static_cast<double>(now.total));
  };
  events.on_remark = [](tmd::Remark, const std::string& sentence) { std::fprintf(stderr, "%s\n", sentence.c_str()); };

  try {
    std::printf("%s\n", tmd::describe_job(spec).identity.c_str());
    const tmd::SearchOutcome outcome = tmd::search(spec, events);
    std::printf("%zu cases among %s arguments\n", outcome.cases.size(), tmd::to_string(outcome.arguments).c_str());
    return outcome.is_complete() ? 0 : 1;
  } catch (const std::exception& error) {
    const tmd::Failure failure = tmd::failure_of(error);
    std::fprintf(stderr, "%s\n", failure.sentence.c_str());
    return static_cast<int>(failure.status);
  }
}
