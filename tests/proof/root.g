# The roots as computed, beside those of the parabola that line.g allows for; relative errors.
# Quotients: 2.5 ulp (5 u), as x·(1/y) a product more. Roots: sqrt 3 ulp (6 u), or x·rsqrt(x) 2 ulp (4 u) and a product.

# D ≥ B²/2: B² is rounded, and D. part: of B² in D.
discriminant = (1 + part * square) * (1 + rounded) - 1;
sqrt_root = sqrt(1 + d) * (1 + of_sqrt) - 1;
rsqrt_root = sqrt(1 + d) * (1 + of_rsqrt) * (1 + product) - 1;
# B + s; share: of s in it, as both are positive.
sum = (1 + share * s) * (1 + plus) - 1;
# 2c/(B + s); c is rounded, 2c is not.
right = (1 + difference) * (1 + quotient) / (1 + w) - 1;
# −(B + s)/2A
left = (1 + w) * (1 + half_over_bend) * (1 + by_w) - 1;

{ |square| <= 1b-24 /\ |rounded| <= 1b-24 /\ part in [0, 2]
  /\ |d| <= 3083b-34 /\ |of_sqrt| <= 6b-24 /\ |of_rsqrt| <= 4b-24 /\ |product| <= 1b-24
  /\ share in [0, 1] /\ |s| <= 7701b-34 /\ |plus| <= 1b-24
  /\ |w| <= 8735b-34 /\ |difference| <= 1b-24 /\ |quotient| <= 6155b-34 /\ |half_over_bend| <= 5b-24 /\ |by_w| <= 1b-24
->
     |discriminant| <= 3083b-34 # d
  /\ |sqrt_root| <= 7701b-34    # s
  /\ |rsqrt_root| <= 7701b-34   # s
  /\ |sum| <= 8735b-34          # w
  /\ |right| <= 17b-24
  /\ |left| <= 17b-24
}
