# What floats lose of V at a point that may be a case, by its coordinates (`look_along` of boxes/lines.clh and of
# phase/walk.clh), as part of (1 + 2·bend)·N, where N, below TMD_MOST_TERMS, is 1 more than a bound of the terms of its
# three coordinates. doc/theory/boxes.md, "A point's V", says where each factor comes from.
#
# A coordinate of p + n0·b0 + n1·b1 + n2·b2, in three fmas: of its terms.
coordinate = (1 + c) * (1 + fused) * (1 + fused_again) * (1 + once_more) - 1;
# The form's terms, for |x|, |y| ≤ 1 + k·N, a product and two fmas; and z, two fmas.
term = (1 + product) * (1 + fused) * (1 + fused_again) - 1;
height = (1 + fused) * (1 + fused_again) - 1;
# V changes by its gradient, 1 along z and 2·bend along x and y, and by bend times the square: as a part of 1 + 2·bend
# linear in the share that 2·bend has of it. Where that is all, for N up to 2^14 and beyond; where it is nothing, with
# |z| ≤ N/κ, κ > 2.99.
bent = k + k * k * n / 2 + t * (1 / least + 2 * k + k * k * n);
more_bent = k + k * k * m / 2 + t * (1b-14 + 2 * k + k * k * m);
flat = k + h * (1 / 2.99 + k);

{ |c| <= 2b-24 /\ |product| <= 1b-24 /\ |fused| <= 1b-24 /\ |fused_again| <= 1b-24 /\ |once_more| <= 1b-24
  /\ k in [0, 2.981e-7] /\ t in [0, 1.789e-7] /\ h in [0, 1.193e-7]
  /\ least in [6.9, 7] /\ n in [6.9, 16384] /\ m in [16384, @TERMS@]
->
     |coordinate| <= 2.981e-7 # k
  /\ |term| <= 1.789e-7       # t
  /\ |height| <= 1.193e-7     # h
  /\ 1.03 * |bent| <= @POINT@ # 1.03: N itself is computed in floats
  /\ 1.03 * |more_bent| <= @POINT@
  /\ 1.03 * |flat| <= @POINT@
}
