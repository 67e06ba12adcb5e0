// The subcommands of `tmd`. Each takes the arguments after its name, prints results on stdout, and returns the exit
// status; what goes wrong is thrown as tmd::Error.
#pragma once

#include <string>
#include <vector>

namespace tmd::app {

using Arguments = std::vector<std::string>;

int search(const Arguments& arguments);
int devices(const Arguments& arguments);
int tune(const Arguments& arguments);
int bench(const Arguments& arguments);
int compare(const Arguments& arguments);

} // namespace tmd::app
