// A list of which memory holds the end, and a temporary file the rest.
#pragma once

#include "support/scratch_file.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace tmd {

// Elements are appended, and read one after the other. Both throw WriteError where the file cannot take or give them.
// Copies share what is in the file.
template <typename T> class ScratchList {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  class Iterator;

  // in_memory: elements at most, 1 or more; as many again while they are read.
  explicit ScratchList(std::size_t in_memory = std::size_t(1) << 16) : in_memory_(in_memory) {}

  void push_back(const T& element) {
    if (recent_.size() == in_memory_)
      spill();
    recent_.push_back(element);
  }

  [[nodiscard]] std::size_t size() const { return blocks_.size() * in_memory_ + recent_.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  // While the list does not change.
  [[nodiscard]] Iterator begin() const { return Iterator(*this); }
  [[nodiscard]] static Iterator end() { return Iterator(); }

private:
  void spill() {
    if (!file_)
      file_ = std::make_shared<ScratchFile>();
    const auto bytes = std::as_bytes(std::span<const T>(recent_));
    blocks_.push_back(file_->reserve(bytes.size()));
    file_->write(blocks_.back(), bytes);
    recent_.clear();
  }

  std::size_t in_memory_;
  std::shared_ptr<ScratchFile> file_;
  std::vector<std::uint64_t> blocks_; // where they begin, of in_memory_ elements each
  std::vector<T> recent_;
};

// Reads each element once: an input iterator. What it points at lasts until it moves.
template <typename T> class ScratchList<T>::Iterator {
public:
  using iterator_category = std::input_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using pointer = const T*;
  using reference = const T&;

  Iterator() = default; // the end of any list
  reference operator*() const { return (*now_)[at_]; }
  pointer operator->() const { return &**this; }
  Iterator& operator++() {
    if (++at_ == now_->size())
      next_block();
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const Iterator& left, const Iterator& right) { return left.list_ == right.list_; }

private:
  friend class ScratchList;
  explicit Iterator(const ScratchList& list) : list_(&list) { next_block(); }

  void next_block() {
    at_ = 0;
    if (next_ < list_->blocks_.size()) {
      buffer_ = std::make_shared<std::vector<T>>(list_->in_memory_); // copies of the iterator may be at another block
      list_->file_->read(list_->blocks_[next_++], std::as_writable_bytes(std::span<T>(*buffer_)));
      now_ = buffer_.get();
    } else if (next_ == list_->blocks_.size() && !list_->recent_.empty()) {
      ++next_;
      now_ = &list_->recent_;
    } else {
      *this = Iterator();
    }
  }

  const ScratchList* list_ = nullptr; // null at the end
  std::size_t next_ = 0;              // block to be read
  std::shared_ptr<std::vector<T>> buffer_;
  const std::vector<T>* now_ = nullptr;
  std::size_t at_ = 0;
};

} // namespace tmd
