# What float loses of a line: G(i) − T beside that of the parabola whose roots are computed. By the sizes that it is
# measured in: slope B, bend sums Q·S, and g. doc/theory/wide-test.md, "The line", says where each factor comes from.
#
# @LINE_ROUNDING@: TMD_LINE_ROUNDING of lines.clh. @FLOOR@: what the host lets Q·S be at least, of Q.
u = 1b-24;

# r: one conversion, |r| ≤ A + B + g. B: one conversion.
fraction = 1 + conversion - 1;
slope = 1 + conversion_of_slope - 1;
# A = Q·c2·M²: b_4, the longest way, is converted (3 u), multiplied by 6, and twice by τ, which is converted, in two fmas;
# then multiplied by Q.
tau = 1 + conversion_of_tau;
bend = (1 + limbs) * (1 + by_six) * (tau * (1 + fma_b4)) * (tau * (1 + fma_b3)) * (1 + by_q) - 1;
# c = T − r is rounded; where D is less than half of B², B² ≤ 4·A·2|c| is rounded, too. |c| ≤ A + B + 2g.
c = (1 + difference) * (1 + 2 * square) - 1;
# D below 2^−126 may be flushed to 0: as if c were off by 2^−126/4A, where A ≥ 2^−64/Q.
flushed = 1b-126 / (4 * 1b-64) / floor;

{ |conversion| <= 1b-24 /\ |conversion_of_slope| <= 1b-24 /\ |conversion_of_tau| <= 1b-24 /\ |limbs| <= 3b-24
  /\ |by_six| <= 1b-24 /\ |fma_b4| <= 1b-24 /\ |fma_b3| <= 1b-24 /\ |by_q| <= 1b-24
  /\ |difference| <= 1b-24 /\ |square| <= 1b-24
  /\ floor in [@FLOOR@, 1]
->
     |fraction| + |bend| + |c| + flushed <= @LINE_ROUNDING@   # of Q·S ≥ A
  /\ |fraction| + |slope| + |c| <= @LINE_ROUNDING@            # of B
  /\ |fraction| + 2 * |c| <= 8b-24                            # of g: a part of 1.0001
}
