// A queue between threads with few places. A place is taken from the moment an element is begun; light elements need
// none once they are in the queue.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <iterator>
#include <list>
#include <mutex>
#include <optional>
#include <set>

namespace tmd::searches {

template <typename T> class BoundedQueue {
public:
  explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

  // Waits for a free place and reserves it for the caller, until push() or give_back(). Of several waiting threads the
  // one of least rank comes first. Returns false, reserving nothing, once the queue is closed.
  [[nodiscard]] bool reserve(std::size_t rank = 0) {
    std::unique_lock lock(mutex_);
    const auto own = waiting_.insert(rank);
    changed_.wait(lock, [&] { return closed_ || (has_room() && *waiting_.begin() == rank); });
    waiting_.erase(own);
    changed_.notify_all();
    if (closed_)
      return false;
    ++reserved_;
    return true;
  }

  // Fills a reserved place; a light element leaves the place free again. Returns false, dropping the element, once the
  // queue is closed.
  bool push(T element, bool is_light = false) {
    const std::lock_guard lock(mutex_);
    --reserved_;
    if (closed_)
      return false;
    elements_.push_back({std::move(element), is_light});
    light_ += is_light ? 1 : 0;
    changed_.notify_all();
    return true;
  }

  // Frees a reserved place without an element.
  void give_back() {
    const std::lock_guard lock(mutex_);
    --reserved_;
    changed_.notify_all();
  }

  // Waits for an element; nothing once the queue is closed and empty.
  std::optional<T> pop() {
    return pop([](T& /*first*/, T& /*other*/) { return false; });
  }
  // Does the same, and merges other elements of the queue into the one it returns: takes_in(element, other) moves from
  // `other` and returns true, or changes nothing.
  template <typename TakesIn> std::optional<T> pop(const TakesIn& takes_in) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || !elements_.empty(); });
    if (elements_.empty())
      return std::nullopt;
    std::optional<T> element = std::move(elements_.front().value);
    auto other = erase(elements_.begin());
    while (other != elements_.end())
      other = takes_in(*element, other->value) ? erase(other) : std::next(other);
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
  struct Element {
    T value;
    bool is_light;
  };
  using Elements = std::list<Element>;

  static constexpr std::size_t most_light = 1024;

  [[nodiscard]] bool has_room() const {
    return elements_.size() - light_ + reserved_ < capacity_ && light_ + reserved_ < capacity_ + most_light;
  }

  typename Elements::iterator erase(typename Elements::iterator at) {
    light_ -= at->is_light ? 1 : 0;
    return elements_.erase(at);
  }

  const std::size_t capacity_;
  Elements elements_;
  std::size_t light_ = 0; // light elements in the queue
  std::size_t reserved_ = 0;
  std::multiset<std::size_t> waiting_; // ranks of the threads in reserve()
  bool closed_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
};

} // namespace tmd::searches
