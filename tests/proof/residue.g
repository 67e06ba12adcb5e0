# z·P⁻¹ modulo Q by an estimate of the quotient: what is left is less than Q, so that one correction by Q is enough.
#
# @DENOMINATOR@: the greatest Q.
estimate = z * inverse / q * ((1 + product) * (1 + per_q) * (1 + by_per_q) - 1);

{ |product| <= 1b-24 /\ |per_q| <= 5b-24 /\ |by_per_q| <= 1b-24 /\ z in [0, @DENOMINATOR@] /\ inverse / q in [0, 1]
->
  |estimate| <= 0.499 # beside 1/2 of the rounding to an integer
}

z * inverse / q -> z * (inverse / q);
