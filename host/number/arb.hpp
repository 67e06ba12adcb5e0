// Arb numbers that free themselves. Arb is a part of FLINT 3; before, it was a library of its own, with its headers in
// another folder. So only this file names its headers, which tests/lint checks.
#pragma once

#include <mpfr.h> // first: FLINT 3 then declares its functions for MPFR numbers

#if __has_include(<flint/arb_poly.h>)
#include <flint/arb.h>
#include <flint/arb_hypgeom.h>
#include <flint/arb_poly.h>
#include <flint/mag.h>
#else
#include <arb.h>
#include <arb_hypgeom.h>
#include <arb_poly.h>
#include <mag.h>
#endif
#include <flint/fmpq.h>
#include <flint/fmpz.h>

#include "tmd/integer.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tmd::number {

// A real ball [midpoint ± radius].
class Arb {
public:
  Arb() { arb_init(value_); }
  Arb(const Arb& other) : Arb() { arb_set(value_, other.value_); }
  Arb(Arb&& other) noexcept : Arb() { arb_swap(value_, other.value_); }
  Arb& operator=(const Arb& other) {
    arb_set(value_, other.value_);
    return *this;
  }
  Arb& operator=(Arb&& other) noexcept {
    arb_swap(value_, other.value_);
    return *this;
  }
  ~Arb() { arb_clear(value_); }

  // Implicit, for calls of the C functions.
  operator arb_ptr() { return value_; }
  operator arb_srcptr() const { return value_; }

private:
  arb_t value_;
};

// The centre of a ball, which is also where a number of Arb's type arf_t is kept.
inline arf_srcptr mid(const Arb& ball) { return arb_midref(static_cast<arb_srcptr>(ball)); }
inline arf_ptr mid(Arb& ball) { return arb_midref(static_cast<arb_ptr>(ball)); }

// Balls in one block of memory, as Arb's functions on coefficients take them.
class ArbVector {
public:
  explicit ArbVector(long size) : values_(_arb_vec_init(size)), size_(size) {}
  ArbVector(const ArbVector& other) : ArbVector(other.size_) { _arb_vec_set(values_, other.values_, size_); }
  ArbVector(ArbVector&& other) noexcept
      : values_(std::exchange(other.values_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  ArbVector& operator=(const ArbVector& other) { return *this = ArbVector(other); }
  ArbVector& operator=(ArbVector&& other) noexcept {
    std::swap(values_, other.values_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~ArbVector() {
    if (values_ != nullptr)
      _arb_vec_clear(values_, size_);
  }

  [[nodiscard]] arb_ptr data() { return values_; }
  [[nodiscard]] arb_srcptr data() const { return values_; }
  [[nodiscard]] arb_ptr operator[](long index) { return values_ + index; }
  [[nodiscard]] arb_srcptr operator[](long index) const { return values_ + index; }
  [[nodiscard]] long size() const { return size_; }

private:
  arb_ptr values_;
  long size_;
};

// An integer of any size.
class Integer {
public:
  Integer() { fmpz_init(value_); }
  Integer(const Integer& other) : Integer() { fmpz_set(value_, other.value_); }
  Integer(Integer&& other) noexcept : Integer() { fmpz_swap(value_, other.value_); }
  Integer& operator=(const Integer& other) {
    fmpz_set(value_, other.value_);
    return *this;
  }
  Integer& operator=(Integer&& other) noexcept {
    fmpz_swap(value_, other.value_);
    return *this;
  }
  ~Integer() { fmpz_clear(value_); }

  // Implicit, for calls of the C functions.
  operator fmpz*() { return value_; }
  operator const fmpz*() const { return value_; }

  friend Integer operator+(Integer x, const Integer& y) {
    fmpz_add(x, x, y);
    return x;
  }
  friend Integer operator-(Integer x, const Integer& y) {
    fmpz_sub(x, x, y);
    return x;
  }
  friend Integer operator*(Integer x, const Integer& y) {
    fmpz_mul(x, x, y);
    return x;
  }
  friend Integer operator*(Integer x, std::uint64_t y) {
    fmpz_mul_ui(x, x, y);
    return x;
  }
  // A sum with another number would be arithmetic of the pointer.
  template <typename Number> friend Integer operator+(const Integer& x, const Number& y) = delete;
  template <typename Number> friend Integer operator-(const Integer& x, const Number& y) = delete;

private:
  fmpz_t value_;
};

// A rational number in lowest terms.
class Rational {
public:
  Rational() { fmpq_init(value_); }
  Rational(const Rational& other) : Rational() { fmpq_set(value_, other.value_); }
  Rational(Rational&& other) noexcept : Rational() { fmpq_swap(value_, other.value_); }
  Rational& operator=(const Rational& other) {
    fmpq_set(value_, other.value_);
    return *this;
  }
  Rational& operator=(Rational&& other) noexcept {
    fmpq_swap(value_, other.value_);
    return *this;
  }
  ~Rational() { fmpq_clear(value_); }

  // Implicit, for calls of the C functions.
  operator fmpq*() { return value_; }
  operator const fmpq*() const { return value_; }

private:
  fmpq_t value_;
};

// Frees the memory and the constants that FLINT and MPFR keep for a thread, at its end.
struct ThreadCaches {
  ThreadCaches() = default;
  ThreadCaches(const ThreadCaches&) = delete;
  ThreadCaches& operator=(const ThreadCaches&) = delete;
  ~ThreadCaches() { flint_cleanup(); }
};

// value modulo 2^(64·words), most significant word first; successive words are `stride` apart.
void write_words(const Integer& value, int words, std::uint64_t* out, std::size_t stride = 1);

// ball = value, exactly.
void set(arb_ptr ball, uint128 value);
void set(fmpz* integer, uint128 value);

// ball = [first, last], as a ball around the middle; exact because the middle is a dyadic number.
void set_interval(arb_ptr ball, uint128 first, uint128 last);

} // namespace tmd::number
