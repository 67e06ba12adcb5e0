# Where a chord meets a breakpoint, as computed, in steps: −value·(steps/rise). Values are modulo 1 in 64 bits, and their
# difference is exact, before both are converted; the number of steps is an integer below 2^12.
#
# @CHORD_MOST@, @CHORD_ROUNDING@, @CHORD_WIDEST@: of crowded.clh. What is further away than 2·@CHORD_MOST@ is off by so
# small a part of it that it stays outside.
place = (1 + of_value) * (1 + quotient) / (1 + of_rise) * (1 + product) - 1;
# What may lie between the chord and F, times steps/rise; 0.26 for 1/4 in it. Twice the error of a group is needed of
# three times.
width = (1 + quotient) / (1 + of_rise) * (1 + fused) - 1;
# Where a range begins or ends, in numbers of members, times Q, in units of M: a chord is used only where 3Q is left to both
# sides of its range in the group, so that Q < M/3, and a residue is below 3Q/2.
number = (1 + residue) * ((1 + difference) * (1 + inverse) * (1 + by_inverse) - 1);

{ |difference| <= 1b-24 /\ |inverse| <= 5b-24 /\ |by_inverse| <= 1b-24 /\ residue in [0, 0.5]
  /\ |of_value| <= 1b-24 /\ |of_rise| <= 1b-24 /\ |quotient| <= 5b-24 /\ |product| <= 1b-24 /\ |fused| <= 1b-24
  /\ |end| <= 1b-24
->
     2 * @CHORD_MOST@ * (|place| + |end|) + @CHORD_WIDEST@ * (|width| + |end|) <= @CHORD_ROUNDING@
  /\ |place| <= 1b-20
  /\ |width| <= 0.01
  /\ (|number| + 18b-24) / 2 <= @ROOT_ROUNDING@ # range_near() adds twice this; 18u: root and product (root.g)
}
