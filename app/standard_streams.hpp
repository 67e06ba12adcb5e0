// Checks standard output: a run whose results were not written must not count as a success.
#pragma once

#include "support/atomic_file.hpp"
#include "tmd/remark.hpp"

#include <initializer_list>
#include <optional>
#include <string>

namespace tmd::app {

// Opens those of the descriptors 0, 1 and 2 that the caller has closed, so that no other file gets their numbers;
// writing to such a standard output fails.
void open_standard_streams();

// Flushes standard output. Throws WriteError if that, or an earlier write, failed; `known_error` is the errno of that,
// if known.
void flush_output(int known_error = 0);

// From now on discards printed text if one of these files is standard output, so that it contains no tables. The files
// themselves are written.
void print_no_tables_beside(std::initializer_list<const std::optional<support::AtomicFile>*> files);

// Prints a remark of the library on stderr: "tmd: note: …", "tmd: warning: …".
void print_remark(Remark kind, const std::string& sentence);

} // namespace tmd::app
