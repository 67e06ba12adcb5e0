// The coefficients of the domains by the hierarchical method: a work-item makes one row (lines, slopes or curvatures)
// of TMD_VECTOR_WIDTH packets of 2^packet_bits domains, by tabulated differences in fixed-size words modulo 1.
// Sources: seed 003 section 5.2, seed 002; host reference: HierarchicalPolynomial::generate, equal bit for bit.
//
// Expects what vector.clh expects and
//   TMD_WORDS           2 … 7, words of the numbers that are walked
//   TMD_DIFFERENCES     0 … 12, differences of the row
//   TMD_FEWER           1: of the row at most; how many it has is an argument, so that one program serves many rows. 0:
//                       it has as many
//   TMD_INTERVAL_WORDS  TMD_WORDS … 16, words of the interval's coefficients
//   TMD_BINOMIAL_WORDS  1 … 8, words that hold the binomials C(first domain of a packet, j)
#include "../common/portable.clh"
#include "../common/vector.clh"

#ifndef TMD_WORDS
#error "TMD_WORDS is missing: 2 to 7"
#elif TMD_WORDS < 2 || TMD_WORDS > 7
#error "TMD_WORDS is out of range: 2 to 7"
#endif
#ifndef TMD_DIFFERENCES
#error "TMD_DIFFERENCES is missing: 0 to 12"
#elif TMD_DIFFERENCES < 0 || TMD_DIFFERENCES > 12
#error "TMD_DIFFERENCES is out of range: 0 to 12"
#endif
#ifndef TMD_FEWER
#error "TMD_FEWER is missing: 0 or 1"
#elif TMD_FEWER < 0 || TMD_FEWER > 1
#error "TMD_FEWER is out of range: 0 or 1"
#endif
#ifndef TMD_INTERVAL_WORDS
#error "TMD_INTERVAL_WORDS is missing: TMD_WORDS to 16"
#elif TMD_INTERVAL_WORDS < TMD_WORDS || TMD_INTERVAL_WORDS > 16
#error "TMD_INTERVAL_WORDS is out of range: TMD_WORDS to 16"
#endif
#ifndef TMD_BINOMIAL_WORDS
#error "TMD_BINOMIAL_WORDS is missing: 1 to 8"
#elif TMD_BINOMIAL_WORDS < 1 || TMD_BINOMIAL_WORDS > 8
#error "TMD_BINOMIAL_WORDS is out of range: 1 to 8"
#endif

#include "../common/multiword.clh"
#include "../common/evidence.clh"

TMD_DEFINE_ADD(add_words, TMD_WORDS)
TMD_DEFINE_ADD_PRODUCT(add_product_words, TMD_INTERVAL_WORDS, TMD_BINOMIAL_WORDS, global)
TMD_DEFINE_SCALE(scale_binomial, TMD_BINOMIAL_WORDS)

// The packets' values, one domain after the other; neighbours write side by side: value s of packet t of `packets` goes
// to row[s·packets + t] (layout.clh). The lanes are the packets `packet`, `packet` + 1, …
void walk_packets(vu64 (*state)[TMD_WORDS], int differences, u32 packet, u32 packets, u32 packet_size, u32 window,
                  global ulong *row) {
  for (u32 s = 0; s < packet_size; ++s) {
    store_lanes(window_of(state[0], window), row + (u64)s * packets + packet, packets - packet);
    TMD_UNROLL
    for (int l = 0; l < TMD_DIFFERENCES; ++l)
      if (l < differences)
        add_words(state[l], state[l + 1]);
  }
}

void testify_packets(u32 packet, u32 packets, u32 ticket, global u32 *counters) {
  evidence e = no_evidence();
  finished(&e, packet, min(packets - packet, (u32)TMD_VECTOR_WIDTH), ticket);
  testify(&e, counters);
}

// Shifts the interval's polynomial to the packet's first domain k (straightforward shift), and walks from there:
// difference l at k is Σ_j coefficient[l + j]·C(k, j). coefficients: `size` numbers of TMD_INTERVAL_WORDS words.
TMD_KERNEL void shift_and_walk(global const ulong *restrict coefficients, global ulong *restrict row, uint size,
                               int fewer, uint first_packet, uint packet_bits, uint window, launch_slice slice,
                               global uint *restrict counters) {
  int differences = TMD_FEWER ? fewer : TMD_DIFFERENCES;
  u32 packets = slice.count;
  u32 packet = (u32)get_global_id(0) * TMD_VECTOR_WIDTH;
  if (packet >= packets)
    return;
  vu64 sum[TMD_DIFFERENCES + 1][TMD_INTERVAL_WORDS];
  TMD_UNROLL
  for (int l = 0; l <= TMD_DIFFERENCES; ++l) {
    TMD_UNROLL
    for (int w = 0; w < TMD_INTERVAL_WORDS; ++w)
      sum[l][w] = (vu64)(0);
  }
  vu64 binomial[TMD_BINOMIAL_WORDS];
  TMD_UNROLL
  for (int w = 0; w < TMD_BINOMIAL_WORDS; ++w)
    binomial[w] = (vu64)(w == TMD_BINOMIAL_WORDS - 1 ? 1 : 0);
  vu64 k = (lane_numbers() + first_packet + packet) << packet_bits;
  for (u32 j = 0; j < size; ++j) {
    TMD_UNROLL
    for (int l = 0; l <= TMD_DIFFERENCES; ++l)
      if (l <= differences && l + j < size)
        add_product_words(sum[l], coefficients + (l + j) * TMD_INTERVAL_WORDS, binomial);
    // C(k, j + 1) = C(k, j)·(k − j)/(j + 1); once 0, at j = k, it stays 0.
    scale_binomial(binomial, (k - j) & 0xffffffffu, j + 1);
  }
  vu64 state[TMD_DIFFERENCES + 1][TMD_WORDS];
  TMD_UNROLL
  for (int l = 0; l <= TMD_DIFFERENCES; ++l) {
    TMD_UNROLL
    for (int w = 0; w < TMD_WORDS; ++w)
      state[l][w] = sum[l][w];
  }
  walk_packets(state, differences, packet, packets, 1u << packet_bits, window, row);
  testify_packets(packet, packets, slice.ticket, counters);
}
