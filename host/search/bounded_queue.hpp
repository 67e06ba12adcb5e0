// A queue between threads that holds a few elements at most, counting those that are still being made.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <set>

namespace tmd {

template <typename T> class BoundedQueue {
public:
  explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

  // Waits for a free place and keeps it for the caller, until push() or give_back(); of those that wait, for one of the
  // least rank. Returns false, keeping none, once the queue is closed.
  [[nodiscard]] bool reserve(std::size_t rank = 0) {
    std::unique_lock lock(mutex_);
    const auto own = waiting_.insert(rank);
    changed_.wait(lock,
                  [&] { return closed_ || (elements_.size() + reserved_ < capacity_ && *waiting_.begin() == rank); });
    waiting_.erase(own);
    changed_.notify_all();
    if (closed_)
      return false;
    ++reserved_;
    return true;
  }

  // Into a place that was reserved. Returns false, leaving out the element, once the queue is closed.
  bool push(T element) {
    const std::lock_guard lock(mutex_);
    --reserved_;
    if (closed_)
      return false;
    elements_.push_back(std::move(element));
    changed_.notify_all();
    return true;
  }

  // Nothing comes into a place that was reserved.
  void give_back() {
    const std::lock_guard lock(mutex_);
    --reserved_;
    changed_.notify_all();
  }

  // Waits for an element; nothing once the queue is closed and empty.
  std::optional<T> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || !elements_.empty(); });
    if (elements_.empty())
      return std::nullopt;
    auto element = std::make_optional(std::move(elements_.front()));
    elements_.pop_front();
    changed_.notify_all();
    return element;
  }

  // No more elements come, or none are wanted.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

private:
  const std::size_t capacity_;
  std::deque<T> elements_;
  std::size_t reserved_ = 0;
  std::multiset<std::size_t> waiting_; // ranks
  bool closed_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
};

} // namespace tmd
