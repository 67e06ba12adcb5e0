// tmd: its commands and its help. app/executable.hpp dispatches.
#include "commands.hpp"
#include "executable.hpp"

int main(int argc, char** argv) {
  return tmd::app::run_executable({"tmd", "command", tmd::app::help_text(), tmd::app::commands()}, argc, argv);
}
