// Values of settings that are declared as rows of tables: each folder with settings keeps a table of its own, and one
// store holds the values of all.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace tmd::device {

// The row of that name in a table. An unknown name does not compile.
template <typename Row, std::size_t size>
consteval const Row& row_named(const std::array<Row, size>& rows, std::string_view name) {
  for (const Row& row : rows)
    if (row.name == name)
      return row;
  throw "no row has this name";
}

// A value for each row, by default its usual one. `Row` has a `name`, which lives as long as the program, and a `usual`
// value. No two rows of all tables share a name.
template <typename Row> class RowValues {
public:
  using Value = decltype(Row::usual);

  [[nodiscard]] Value operator[](const Row& row) const {
    const auto found = find(entries_, row);
    return found != entries_.end() ? found->value : row.usual;
  }

  void set(const Row& row, Value value) {
    const auto found = find(entries_, row);
    if (found != entries_.end())
      found->value = value;
    else
      entries_.push_back({row, value});
  }

  // Whether all values are equal, in whatever order they were set.
  bool operator==(const RowValues& other) const { return agrees_with(other) && other.agrees_with(*this); }

private:
  struct Entry {
    Row row;
    Value value;
  };

  template <typename Entries> static auto find(Entries& entries, const Row& row) {
    return std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.row.name == row.name; });
  }

  [[nodiscard]] bool agrees_with(const RowValues& other) const {
    return std::all_of(entries_.begin(), entries_.end(),
                       [&](const Entry& entry) { return other[entry.row] == entry.value; });
  }

  std::vector<Entry> entries_;
};

} // namespace tmd::device
