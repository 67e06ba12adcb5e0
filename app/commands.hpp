// The subcommands of `tmd`. Each takes the arguments after its name, prints results on stdout, and returns the exit
// status; errors are thrown as tmd::Error.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cxxopts {
class Options;
}

namespace tmd::app {

using Arguments = std::vector<std::string>;

int search(const Arguments& arguments);
int resume(const Arguments& arguments);
int status(const Arguments& arguments);
int merge(const Arguments& arguments);
int show(const Arguments& arguments);
int libm(const Arguments& arguments);
int sample(const Arguments& arguments);
int check(const Arguments& arguments);
int plot(const Arguments& arguments);
int verify(const Arguments& arguments);
int functions(const Arguments& arguments);
int run(const Arguments& arguments);
int publish(const Arguments& arguments);
int devices(const Arguments& arguments);
int tune(const Arguments& arguments);
int compare(const Arguments& arguments);
int doctor(const Arguments& arguments);
int completions(const Arguments& arguments);
int build_programs(const Arguments& arguments);

// Their options, for parsers and help texts.
cxxopts::Options search_options();
cxxopts::Options resume_options();
cxxopts::Options status_options();
cxxopts::Options merge_options();
cxxopts::Options show_options();
cxxopts::Options libm_options();
cxxopts::Options sample_options();
cxxopts::Options check_options();
cxxopts::Options plot_options();
cxxopts::Options verify_options();
cxxopts::Options functions_options();
cxxopts::Options run_options();
cxxopts::Options publish_options();
cxxopts::Options devices_options();
cxxopts::Options tune_options();
cxxopts::Options compare_options();
cxxopts::Options doctor_options();

// A subcommand and its name.
struct Command {
  std::string_view name;
  int (*run)(const Arguments&);
  std::string_view summary;                // for completions; empty: not listed
  cxxopts::Options (*options)() = nullptr; // null if the command's first argument decides
};

[[nodiscard]] std::span<const Command> commands();

// The text of `tmd --help`.
[[nodiscard]] std::string_view help_text();

} // namespace tmd::app
