# What floats lose of the basis of a window or a box, and of a point's coordinates in it (short_vectors.clh, `aim_at` and
# `range_of`). doc/theory/phase-walk.md, "The sums", says where each factor comes from.
#
# A coordinate of a vector: its integers as floats, in two words 2 u, times a scale.
coordinate = (1 + conversion) * (1 + scaled) - 1;
# A cross product's coordinate is one product rounded, in an fma with the other: of |b_j||b_k| at most both together, and
# so the vector's three are off by √3 times that.
cross = 1.7321 * ((1 + c) * (1 + c) * (1 + product) * (1 + fused) - 1);
# The determinant, three products in two fmas, of |b_0||b_1||b_2|, which is 4·|det| at most (4.001: as floats tell it).
determinant = 4.001 * ((1 + c) * (1 + x) * (1 + product) * (1 + fused) * (1 + fused_again) - 1);
# A step of Newton's from an inverse that is wrong by 2^-12: (1 + about)·(1 − about·(1 + off)).
inverse = (1 - about * about - about * off * (1 + about)) * (1 + fused) - 1;
# A dual vector is a cross product times that inverse: in units of 1/|b_i|, in which it is 4.001 at most.
dual = 4.001 * (x + (1 + x) * ((1 + i) * (1 + product) / (1 + d) - 1));
# Its product with a point's place, of which z counts from the body's middle: of |d_i| times how far the point is, as
# 1/|b_i| ≤ |d_i|.
number = (1 + v) * (1 + c) * (1 + middle) * (1 + product) * (1 + fused) * (1 + fused_again) - 1;
# A range's end: that, the body's extent along a vector that is off as much, with 16 roundings, and four sums; of d1, which
# is one of the vectors less a multiple of the other, in an fma.
range = n + (1 + v) * (1 + fused) * (1 + extents) - 1 + 4 * fused;

{ |conversion| <= 2b-24 /\ |scaled| <= 1b-24 /\ |c| <= 50332b-38 /\ |product| <= 1b-24 /\ |fused| <= 1b-24
  /\ |fused_again| <= 1b-24 /\ |x| <= 15b-24 /\ |d| <= 85b-24 /\ |about| <= 4097b-24 /\ |off| <= 1b-24
  /\ |i| <= 4b-24 /\ |v| <= 421b-24 /\ |middle| <= 1b-24 /\ |extents| <= 16b-24 /\ |n| <= 1b-15
->
     |coordinate| <= 50332b-38 # c
  /\ |cross| <= 15b-24         # x
  /\ |determinant| <= 85b-24   # d, of det
  /\ |inverse| <= 4b-24        # i
  /\ |dual| <= 421b-24         # v, which is less than 2^-15
  /\ |number| <= 1b-15         # n
  /\ |range| <= @RANGES@       # of the sizes that occur
}
