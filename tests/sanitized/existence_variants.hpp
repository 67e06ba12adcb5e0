// Every build of the existence test, from the kernels' own text: all algorithms and divisions, and the values
// of LOGMS that make a difference. Listed for one width of words at each inclusion, by including itself once
// for every choice:
//
//   namespace bits_8 {
//   using word = tmd::SmallWord<8>;
//   #define TMD_WORD_BITS 8
//   #include "sanitized/existence_variants.hpp"
//   #undef TMD_WORD_BITS
//   } // namespace bits_8
//
// after which variants<word>() holds them. Choices that are made beforehand (TMD_ALGORITHM, …) stand.
#ifndef TMD_TESTS_EXISTENCE_VARIANTS
#define TMD_TESTS_EXISTENCE_VARIANTS

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
using std::floor;
using std::fma;
#define PURE [[maybe_unused]] static inline

namespace { // every test file has its own variants

#define TMD_VECTOR_WIDTH 1
#include "cl_kernels/common/vector.clh"

// Builds that give the same answers: Lefèvre's test always gives the right ones, the papers' forms of it sometimes
// "maybe".
enum class Family { regular, lefevre, papers };
constexpr std::size_t families = 3;

#ifdef TMD_COUNT_ROUNDS
template <typename Word> using MayExist = int (*)(Word a, Word b, Word threshold, Word size, u32* rounds);
#else
template <typename Word> using MayExist = int (*)(Word a, Word b, Word threshold, Word size);
#endif

template <typename Word> struct Variant {
  int algorithm;
  int division;
  int logms;
  MayExist<Word> may_exist;

  [[nodiscard]] Family family() const {
    return algorithm == 1 ? Family::regular : algorithm == 2 ? Family::lefevre : Family::papers;
  }
  [[nodiscard]] bool in_doubles() const { return division >= 5; }
  // Very slow if a quotient is large.
  [[nodiscard]] bool subtracts_only(int word_bits) const {
    return division == 2 || (division == 3 && logms == word_bits);
  }
  [[nodiscard]] std::string name() const {
    return "TMD_ALGORITHM " + std::to_string(algorithm) + ", TMD_DIVISION " + std::to_string(division) +
           ", TMD_LOGMS " + std::to_string(logms);
  }
};

template <typename Word> std::vector<Variant<Word>>& variants() {
  static std::vector<Variant<Word>> all;
  return all;
}
template <typename Word> bool list(const Variant<Word>& variant) {
  variants<Word>().push_back(variant);
  return true;
}

} // namespace

#define TMD_VARIANT_NAMED(algorithm, division, logms) variant_##algorithm##_##division##_##logms
#define TMD_VARIANT_NAME(algorithm, division, logms) TMD_VARIANT_NAMED(algorithm, division, logms)
#endif

#ifdef TMD_WORD_BITS
// clang-format off
#ifndef TMD_ALGORITHM

#define TMD_ALGORITHM 1
#include "sanitized/existence_variants.hpp"
#undef TMD_ALGORITHM
#define TMD_ALGORITHM 2
#include "sanitized/existence_variants.hpp"
#undef TMD_ALGORITHM
#define TMD_ALGORITHM 3
#include "sanitized/existence_variants.hpp"
#undef TMD_ALGORITHM
#define TMD_ALGORITHM 4
#include "sanitized/existence_variants.hpp"
#undef TMD_ALGORITHM

#elif !defined(TMD_DIVISION)

#define TMD_DIVISION 1
#include "sanitized/existence_variants.hpp"
#undef TMD_DIVISION
#define TMD_DIVISION 2
#include "sanitized/existence_variants.hpp"
#undef TMD_DIVISION
#define TMD_DIVISION 3
#include "sanitized/existence_variants.hpp"
#undef TMD_DIVISION
#define TMD_DIVISION 4
#include "sanitized/existence_variants.hpp"
#undef TMD_DIVISION
#define TMD_DIVISION 5
#include "sanitized/existence_variants.hpp"
#undef TMD_DIVISION
#define TMD_DIVISION 6
#include "sanitized/existence_variants.hpp"
#undef TMD_DIVISION

#elif !defined(TMD_LOGMS)

#define TMD_LOGMS 3
#include "sanitized/existence_variants.hpp"
#undef TMD_LOGMS
#if TMD_DIVISION == 3 || TMD_ALGORITHM == 4
#define TMD_LOGMS 0
#include "sanitized/existence_variants.hpp"
#undef TMD_LOGMS
#define TMD_LOGMS 1
#include "sanitized/existence_variants.hpp"
#undef TMD_LOGMS
#define TMD_LOGMS TMD_WORD_BITS
#include "sanitized/existence_variants.hpp"
#undef TMD_LOGMS
#endif

#else

namespace TMD_VARIANT_NAME(TMD_ALGORITHM, TMD_DIVISION, TMD_LOGMS) {
#include "cl_kernels/domains/existence.clh"
const bool listed [[maybe_unused]] = list<word>({TMD_ALGORITHM, TMD_DIVISION, TMD_LOGMS, may_exist});
}

#endif
// clang-format on
#endif
