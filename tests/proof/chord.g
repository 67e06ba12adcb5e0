# Where a chord meets a breakpoint, as computed, in steps: −value·(steps/rise). Values are modulo 1 in 64 bits, and their
# difference is exact, before both are converted; the number of steps is an integer below 2^12.
#
# @CHORD_MOST@, @CHORD_ROUNDING@, @CHORD_WIDEST@: of crowded.clh. What is further away than 2·@CHORD_MOST@ is off by so
# small a part of it that it stays outside.
place = (1 + of_value) * (1 + quotient) / (1 + of_rise) * (1 + product) - 1;
# What may lie between the chord and F, times steps/rise; 0.26 for 1/4 in it. Twice the error of a group is needed of
# three times.
width = (1 + quotient) / (1 + of_rise) * (1 + fused) - 1;

{ |of_value| <= 1b-24 /\ |of_rise| <= 1b-24 /\ |quotient| <= 5b-24 /\ |product| <= 1b-24 /\ |fused| <= 1b-24
  /\ |end| <= 1b-24
->
     2 * @CHORD_MOST@ * (|place| + |end|) + @CHORD_WIDEST@ * (|width| + |end|) <= @CHORD_ROUNDING@
  /\ |place| <= 1b-20
  /\ |width| <= 0.01
}
