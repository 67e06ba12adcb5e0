// Handles SIGINT, SIGTERM, SIGHUP and SIGQUIT, and a library's abort, crash or exit: all that ends a program early.
#pragma once

#include <string_view>

namespace tmd::app {

// From now on each of these signals (batch schedulers send SIGTERM) ends the program with a sentence and its exit
// status, and removes temporary files. Signals that the caller ignores stay ignored, such as SIGHUP under nohup. If a
// library aborts, crashes or calls exit(), the program ends in the same way, with the status of a failed device.
void end_at_interrupts();

// To be called when main is about to return: a later exit() is not a library's.
void allow_exit();

// Restores the default effect of an abort, a crash or an exit.
void leave_crashes();

// From now on the signals request a stop, so that the program can report where it is. It has one second: then it ends
// as above. Further signals within that second change nothing; `timeout` sends two. SIGQUIT still ends it at once.
void catch_interrupts();

// Whether the user has asked to stop.
[[nodiscard]] bool interrupted();

// Sets the sentence for the end of that second, which reports the current state. To be called again and again, by one
// thread at a time.
void keep_for_interrupt(std::string_view sentence);

// To be called when the report has been printed: after the second, the program then ends without a sentence.
void interrupt_is_reported();

} // namespace tmd::app
