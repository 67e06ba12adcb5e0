// A queue between two threads that holds a few elements at most.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

namespace tmd {

template <typename T> class BoundedQueue {
public:
  explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

  // Waits for a free place. Returns false, leaving out the element, once the queue is closed.
  bool push(T element) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || elements_.size() < capacity_; });
    if (closed_)
      return false;
    elements_.push_back(std::move(element));
    changed_.notify_all();
    return true;
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
  std::size_t capacity_;
  std::deque<T> elements_;
  bool closed_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
};

} // namespace tmd
