# How far a case may be from a computed root of its line in a box, in units of n0 (`look_at_lines` of boxes/lines.clh), and
# by how much the ends of a line are off whose roots are not certain (`all_of_line`). doc/theory/boxes.md, "Roots", says
# where each factor comes from. D is the discriminant, T `near_enough`, q |square|.
#
# @SQUARE@, @OF_T@, @OF_BEND@: a computed |D| is at least so many c1², T², q·T. @ERROR@: TMD_ROOT_ERROR. @QUICK@: what a
# line's quick inverses are off by. @PAD@: `pad`, of the size.

# D beside the computed one, of which c1² is a z-th: c1² is rounded, and D.
ratio = 1 / (1 + rounded) - square / (0.999 * z);
# Without roots |V| is D/4q at least: in T.
least = f * of_bend / 4;
# |V| ≤ T only so near to a root: 2T/√D/(1 + √(1 − 4qT/D)).
t = 1 / sqrt(f * of_t);
around = 2 * t / (1 + sqrt(1 - 4 / (f * of_bend)));
# What c1², rounded, does to the greater root n = (|c1| + √D)/2q: √D/2q·(√(1 + a·square) − 1), a = c1²/D. As V' is √D
# there, a·√D/2q ≤ 2n + 4q·n²/√D, where q·n² ≤ T/@ERROR@. To the smaller one: likewise, with 2|c0|/√D.
a = 1 / (f * z);
grown = (2 * n + 4 * t / error) * square / (1 + sqrt(1 + a * square));
shrunk = 1.04 * (2 * t / error) * square / (1 + sqrt(1 + a * square));
# √D, by a quick inverse root, and its sum with |c1|; the quotients, one by an inverse in full, one by a quick one.
sum = sqrt(1 + rounded) * (1 + quick_root) * (1 + product) * (1 + plus) - 1;
greater = (1 + w) * (1 + i) * (1 + by_w) - 1;
smaller = (1 + quick) * (1 + by_w) / (1 + w) - 1;
# V by its coefficients, of its terms: most roundings has that of xy·e1.x·e2.y, in q12, c0 and V.
term = (1 + product) * (1 + product) * (1 + fused) * (1 + fused) * (1 + fused) * (1 + fused) * (1 + fused) * (1 + fused) - 1;
# A coordinate of p + n1·e1 + n2·e2, each off by 2u, in two fmas; its quotient by e0's, and that less half of the range:
# of their sizes, which are 1, 5 and 5 at most, and 1, times the inverse.
coordinate = (1 + c) * (1 + fused) * (1 + fused_again) - 1;
end = 12 * ((1 + coordinate) * (1 + i) * (1 + c) * (1 + product) * (1 + plus) - 1);

{ |rounded| <= 1b-24 /\ |square| <= 1b-24 /\ z in [@SQUARE@, 1b40] /\ of_t in [@OF_T@, 1b100]
  /\ of_bend in [@OF_BEND@, 1b100] /\ f in [0.967, 1.034] /\ n in [0, 3600] /\ error in [@ERROR@, 1b-10]
  /\ |quick_root| <= @QUICK@ /\ |quick| <= @QUICK@ /\ |product| <= 1b-24 /\ |plus| <= 1b-24 /\ |by_w| <= 1b-24
  /\ |i| <= 4b-24 /\ |w| <= 259b-24 /\ |c| <= 2b-24 /\ |fused| <= 1b-24 /\ |fused_again| <= 1b-24
->
     ratio in [0.968, 1.033]                           # f, with the roundings of the three bounds
  /\ |sum| <= 259b-24                                  # w
  /\ least >= 1.9
  /\ around + |grown| + (n + 0.1) * |greater| <= 0.24  # less than a half
  /\ around + |shrunk| + (n + 0.1) * |smaller| <= 0.28
  /\ |term| <= @ERROR@
  /\ |end| <= @PAD@
}
