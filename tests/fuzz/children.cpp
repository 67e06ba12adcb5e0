// What other processes say to this one: a math library's worker through its channel and through shared memory, a
// command that reads and writes numbers, builders of programs, and searches' records. The input is what a shell does in
// their place: its first byte says in whose, each further one an act. Only records are taken as they stand.
#include "host/library/command_process.hpp"
#include "host/library/library_process.hpp"
#include "host/opencl/builders.hpp"
#include "host/report/comparison.hpp"
#include "host/result/case_list.hpp"
#include "reader.hpp"

#include <array>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>

namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_acts = 24;
constexpr auto patience = 30ms;
constexpr std::size_t count = 3; // arguments of a block

// Messages that the shell writes to the protocol's channel.
constexpr std::array<const char*, 16> words{R"(ready\n)",
                                            R"(done\n)",
                                            R"(!no such function\n)",
                                            R"(?the device is lost\n)",
                                            R"(\n)",
                                            R"(done)",
                                            R"(\000)",
                                            R"(0x1p+0\n)",
                                            R"(nan\n)",
                                            R"(-inf \n)",
                                            R"(1e999999999\n)",
                                            R"(0x1p\n)",
                                            R"(!)",
                                            R"(ready)",
                                            R"(\377\n)",
                                            R"(1\0002\n)"};
// Values that the shell writes over the first numbers of the shared memory, 64 bits each, least byte first.
constexpr std::array<const char*, 4> numbers{
    R"(\000\000\000\000\000\000\000\000)", R"(\002\000\000\000\000\000\000\000)", R"(\014\000\001\000\000\000\000\000)",
    R"(\377\377\377\377\377\377\377\377)"};

std::string act(unsigned char code, const std::string& channel) {
  const unsigned which = code % 16;
  switch (code / 16) {
  case 0:
  case 1:
    return "printf '" + std::string(words[which]) + "' >&" + channel + "\n";
  case 2: // the cursor and the count
    return std::string("printf '") + numbers[which % 4] + numbers[which / 4] + "' 1<>/proc/self/fd/4\n";
  case 3: // all four of them
    return std::string("printf '") + numbers[which % 4] + numbers[which / 4] + numbers[which / 4] + numbers[which % 4] +
           "' 1<>/proc/self/fd/4\n";
  case 4:
    return "read line\n";
  case 5:
    return "read line <&3\n";
  case 6:
    return "exit " + std::to_string(which * 17) + "\n";
  case 7:
    return "kill -" + std::to_string(which + 1) + " $$\n";
  case 8:
    return "echo words >&2\n";
  case 9:
    return "printf '%0" + std::to_string(100000U * which) + "d' 0 >&" + channel + "\n";
  case 10:
    return "(: >/proc/self/fd/4)\n"; // shortened, if possible
  case 11:
    return "exec 3>&-\n";
  case 12:
    return which == 0 ? "exec sleep 1\n" : "";
  case 13:
    return "while read line; do printf '" + std::string(words[which]) + "' >&" + channel + "; done\n";
  case 14:
    return "while read line <&3; do printf '" + std::string(words[which]) + "' >&" + channel + "; done\n";
  default: // first bytes of all that has arrived
    return "[ $line = 0 ] && exit " + std::to_string(which) + "\n";
  }
}

std::string script_of(std::string_view acts, const std::string& channel) {
  std::string script = "line=0\n";
  for (const char code : acts.substr(0, most_acts))
    script += act(static_cast<unsigned char>(code), channel);
  return script;
}

// Each call is lost once at most, and is one of the requested ones.
void call(tmd::library::CalledFunction& function) {
  std::set<std::pair<std::size_t, tmd::Direction>> calls;
  for (const tmd::library::LostCall& lost : function.call(count, tmd::library::CalledFunction::any_number))
    if (lost.index >= count || !function.rounds(lost.direction) || !calls.emplace(lost.index, lost.direction).second)
      std::abort();
}

void build(const std::string& script) {
  tmd::opencl::Builders builders("/bin/sh", {"-c", script}, 1, patience);
  for (const char* request : {"1 2\nabc", "0 0\n"})
    builders.want(request, request);
  for (const char* request : {"1 2\nabc", "0 0\n"})
    (void)builders.await(request);
}

void play(std::string_view text) {
  if (text.empty())
    return;
  const auto kind = static_cast<unsigned char>(text.front());
  const bool flag = kind / 8 % 2 != 0;
  text.remove_prefix(1);
  switch (kind % 4) {
  case 0: {
    tmd::library::LibraryProcess process("/bin/sh", {"-c", script_of(text, "3")},
                                         {8, flag ? 2U : 1U, flag, kind / 16 % 2 != 0, patience, 1, patience});
    call(process);
    break;
  }
  case 1: {
    tmd::library::CommandProcess process(script_of(text, "1"), tmd::find_format(flag ? "binary16" : "binary64"),
                                         kind / 16 % 2 != 0, patience);
    call(process);
    break;
  }
  case 2:
    build(script_of(text, "1"));
    break;
  default:
    if (flag)
      (void)tmd::report::read_divergence_record(std::string(text));
    else
      (void)tmd::result::parse_case_list(std::string(text), "the search's records");
  }
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { return read_with(data, size, play); }
