# z and P⁻¹ modulo Q, and z·P⁻¹ modulo Q, by estimates of the quotients: what is left of each.
#
# @DENOMINATOR@: the greatest Q. 65540: of |I + T|/Q, as lines are numbered up to 2^16, and I is at most Q.
of_z = lines * ((1 + per_q) * (1 + by_per_q) - 1);
of_inverse = neighbour * ((1 + per_q) * (1 + by_per_q) - 1); # |Q0|/Q
estimate = z * inverse * ((1 + product) * (1 + per_q) * (1 + by_per_q) - 1);

{ |product| <= 1b-24 /\ |per_q| <= 5b-24 /\ |by_per_q| <= 1b-24 /\ |lines| <= 65540 /\ neighbour in [0, 1b20]
  /\ |z| <= 0.53 /\ inverse / q in [-1, 1] /\ q in [1, @DENOMINATOR@]
->
     |of_z| <= 0.03       # of Q, beside 1/2 of the rounding to an integer: |z| ≤ 0.53·Q
  /\ |of_inverse| <= 0.49 # |P⁻¹| < Q
  /\ |estimate| <= 1      # of Q: less than 3Q/2 is left
}

z * inverse -> z * (inverse / q) * q;
