// The subcommands of `tmd`. Each takes the arguments after its name, prints results on stdout, and returns the exit
// status; what goes wrong is thrown as tmd::Error.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tmd::app {

using Arguments = std::vector<std::string>;

int search(const Arguments& arguments);
int resume(const Arguments& arguments);
int status(const Arguments& arguments);
int merge(const Arguments& arguments);
int show(const Arguments& arguments);
int libm(const Arguments& arguments);
int check(const Arguments& arguments);
int plot(const Arguments& arguments);
int verify(const Arguments& arguments);
int functions(const Arguments& arguments);
int run(const Arguments& arguments);
int publish(const Arguments& arguments);
int devices(const Arguments& arguments);
int tune(const Arguments& arguments);
int bench(const Arguments& arguments);
int compare(const Arguments& arguments);
int doctor(const Arguments& arguments);
int completions(const Arguments& arguments);

// A subcommand, as it is found by its name.
struct Command {
  std::string_view name;
  int (*run)(const Arguments&);
  std::string_view summary; // for completions; empty: not listed
};

[[nodiscard]] std::span<const Command> commands();

} // namespace tmd::app
