// SIGINT, SIGTERM, SIGHUP and SIGQUIT, and a library's abort, crash or exit: what ends a program sooner than it had in
// mind.
#pragma once

#include <string_view>

namespace tmd::app {

// From now on each of them (SIGTERM is what batch schedulers send) ends the program with a sentence, its exit status,
// and no temporary file. What the caller ignores stays ignored, such as SIGHUP under nohup. A library that aborts,
// crashes or calls exit() ends it likewise, with the status of a device that failed.
void end_at_interrupts();

// main is about to return: what calls exit() from now on is not a library.
void allow_exit();

// An abort, a crash or an exit does again what it would do without that.
void leave_crashes();

// From now on they ask to stop, for what has something to tell when it is stopped. It has a second: then the program
// ends as above. More of them within that second say nothing new; `timeout` sends two. SIGQUIT still ends it at once.
void catch_interrupts();

// Whether the user has asked to stop.
[[nodiscard]] bool interrupted();

// What is said when the second is over: as far as it has come, to be told again and again. By one thread at a time.
void keep_for_interrupt(std::string_view sentence);

// What there was to tell has been told: when the second is over, the program ends without a sentence.
void interrupt_is_told();

} // namespace tmd::app
