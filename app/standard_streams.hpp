// Standard output, checked: results that were not written must not pass for success.
#pragma once

#include "support/atomic_file.hpp"
#include "tmd/remark.hpp"

#include <initializer_list>
#include <optional>
#include <string>

namespace tmd::app {

// Opens what the caller has closed of descriptors 0, 1 and 2, so that no other file gets their numbers;
// writing to such a standard output fails.
void open_standard_streams();

// Writes what is buffered for standard output. Throws WriteError when that, or anything written before,
// failed; `known_error` is the errno of that, as far as it is known.
void flush_output(int known_error = 0);

// From now on what is printed goes nowhere if one of these files is standard output: a file has no tables in it. They
// are written all the same.
void print_no_tables_beside(std::initializer_list<const std::optional<support::AtomicFile>*> files);

// What the library says, on stderr: "tmd: note: …", "tmd: warning: …".
void print_remark(Remark kind, const std::string& sentence);

} // namespace tmd::app
