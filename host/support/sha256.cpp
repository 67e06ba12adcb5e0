#include "support/sha256.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

namespace tmd::support {

namespace {

constexpr std::size_t block_bytes = 64;
constexpr std::size_t length_bytes = 8; // bytes of the message's length, at the end of the last block

using State = std::array<std::uint32_t, 8>;

// The first 32 bits of the fractional parts of the square roots of the first 8 primes (section 5.3.3).
constexpr State initial{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2).
constexpr std::array<std::uint32_t, 64> constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

// Section 6.2.2. `block`: block_bytes bytes.
void add_block(State& state, std::string_view block) {
  std::array<std::uint32_t, constants.size()> words{};
  for (std::size_t t = 0; t < block_bytes / 4; ++t)
    for (std::size_t i = 0; i < 4; ++i)
      words[t] = words[t] << 8 | static_cast<unsigned char>(block[4 * t + i]);
  for (std::size_t t = block_bytes / 4; t < words.size(); ++t) {
    const std::uint32_t early = words[t - 15];
    const std::uint32_t late = words[t - 2];
    words[t] = words[t - 16] + (std::rotr(early, 7) ^ std::rotr(early, 18) ^ early >> 3) + words[t - 7] +
               (std::rotr(late, 17) ^ std::rotr(late, 19) ^ late >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t t = 0; t < words.size(); ++t) {
    const std::uint32_t first =
        h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + constants[t] + words[t];
    const std::uint32_t second =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const State round{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i)
    state[i] += round[i];
}

} // namespace

std::string sha256(std::string_view bytes) {
  State state = initial;
  std::size_t done = 0;
  for (; done + block_bytes <= bytes.size(); done += block_bytes)
    add_block(state, bytes.substr(done, block_bytes));
  // The padding: a bit, zeros, the length in bits.
  std::string last(bytes.substr(done));
  last += '\x80';
  while (last.size() % block_bytes != block_bytes - length_bytes)
    last += '\0';
  const std::uint64_t bits = 8 * static_cast<std::uint64_t>(bytes.size());
  for (std::size_t i = length_bytes; i-- > 0;)
    last += static_cast<char>(bits >> 8 * i & 0xff);
  for (std::size_t at = 0; at < last.size(); at += block_bytes)
    add_block(state, std::string_view(last).substr(at, block_bytes));
  std::string text;
  for (const std::uint32_t word : state)
    text += fmt::format("{:08x}", word);
  return text;
}

} // namespace tmd::support
