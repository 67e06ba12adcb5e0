// SIGINT and SIGTERM, as requests to stop.
#pragma once

namespace tmd::app {

// From now on the first SIGINT or SIGTERM (what batch schedulers send) asks to stop, the second ends the program at
// once.
void catch_interrupts();

// Whether the user has asked to stop.
[[nodiscard]] bool interrupted();

} // namespace tmd::app
