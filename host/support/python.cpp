#include "support/python.hpp"

#include "support/child_process.hpp"
#include "support/installed_files.hpp"
#include "tmd/error.hpp"

#include <chrono>
#include <cstdlib>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>

#include <fmt/format.h>

namespace tmd::support {

namespace {

using namespace std::chrono_literals;

// -B: using an installed module must not change the installation.
std::vector<std::string> command(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"-B", python_folder().string()});
  return arguments;
}

// $TMD_PYTHON; else python3 of PATH and that of the system.
std::vector<std::string> candidates() {
  if (const char* chosen = std::getenv("TMD_PYTHON"); chosen != nullptr && *chosen != '\0')
    return {chosen};
  const auto of_path = find_program("python3");
  return {of_path ? of_path->string() : "python3", "/usr/bin/python3"};
}

bool has_packages(const std::string& interpreter, const std::string& module) {
  ChildProcess python(interpreter, command({"--check", module}), {});
  const auto end = python.wait(60s);
  return end && end->done();
}

} // namespace

PythonModule::PythonModule(std::string name) : name_(std::move(name)) {
  for (const std::string& candidate : candidates())
    if (has_packages(candidate, name_)) {
      interpreter_ = candidate;
      return;
    }
  throw UsageError("this needs Python 3 with NumPy, SciPy and matplotlib: install the packages python3-numpy, "
                   "python3-scipy and python3-matplotlib, or numpy, scipy and matplotlib by pip");
}

void PythonModule::run(const std::vector<std::string>& arguments, const TextSink& sink, std::string_view input) const {
  const Descriptor file(::memfd_create("input", MFD_CLOEXEC)); // not a pipe, which breaks if it is not read
  if (!file.is_open() || !file.write(input) || ::lseek(file.number(), 0, SEEK_SET) != 0)
    throw DeviceError("cannot hand anything to python3");
  PipeEnds output = make_pipe();
  std::vector<std::string> all = arguments;
  all.insert(all.begin(), name_);
  ChildProcess python(interpreter_, command(all), {file.number(), output.in.number(), {}});
  output.in.close();
  while (output.out.is_open()) {
    std::string text;
    python.read(output.out, text, 1s);
    if (!text.empty())
      sink(text);
  }
  const auto end = python.wait(10s);
  if (!end || !end->done())
    throw UsageError(python.last_words().empty() && end ? end->sentence() : python.last_words());
}

std::string figure_format(std::filesystem::path name, bool or_page) {
  if (name.extension() == ".gz" || name.extension() == ".xz")
    name = name.stem();
  if (name == "-")
    return "svg";
  for (const std::string_view format : {"svg", "png", "pdf"})
    if (name.extension() == fmt::format(".{}", format))
      return std::string(format);
  if (or_page && name.extension() == ".html")
    return "html";
  throw UsageError(fmt::format("cannot tell what to draw into '{}': its name must end in .svg, .png{}", name.string(),
                               or_page ? ", .pdf or .html" : " or .pdf"));
}

} // namespace tmd::support
