# The member of the class that is taken for the nearest to a root is off by so many arguments: its number as computed,
# times Q, beside (y·M − residue)/Q, and the root, which is off by 17 u (root.g). In units of M and of Q.
#
# @ROOT_ROUNDING@: TMD_ROOT_ROUNDING of lines.clh.

# |y|·M ≤ M + Q/2 where the class is not crowded; M is a power of two. 1/Q: 2.5 ulp. The fma rounds |k| ≤ (M + 3Q/2)/Q.
of_y = (1 + inverse) * (1 + rounded) - 1;
of_residue = (1 + inverse) * (1 + product) * (1 + rounded) - 1;

{ |inverse| <= 5b-24 /\ |rounded| <= 1b-24 /\ |product| <= 1b-24 /\ |root| <= 17b-24
->
     |root| + |of_y| <= @ROOT_ROUNDING@                       # of M
  /\ |root| / 2 + |of_y| / 2 + |of_residue| + 1b-24 <= 0.0005 # of Q: a part of what 0.499 leaves
}
