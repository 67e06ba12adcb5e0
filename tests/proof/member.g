# The member of the class that is taken for the nearest to a root is off by so many arguments: its number as computed,
# times Q, beside (y·M − residue)/Q, and the root, which is off by 17 u (root.g). In units of M and of Q.
#
# @ROOT_ROUNDING@: TMD_ROOT_ROUNDING of lines.clh.

# @PART@: M + 8 + 3Q/2 of a part.

# |y|·M ≤ M + Q/2 where the class is not crowded; M is a power of two. 1/Q: 2.5 ulp. A residue is below 3Q/2.
of_y = (1 + inverse) * (1 + rounded) - 1;
of_residue = (1 + inverse) * (1 + product) * (1 + rounded) - 1;
# The member's distance from the root: an fma makes y·M − residue, of at most M + 2Q ≤ 9M, and one the distance, of at most
# Q/2 ≤ 2M where it counts.
distance = 9 * rounded + 2 * rounded_again;
# In a part: a member's number times Q, beside (residue − end of the part)/Q.
of_number = size * ((1 + rounded) * (1 + inverse) * (1 + product) - 1);

{ |inverse| <= 5b-24 /\ |rounded| <= 1b-24 /\ |rounded_again| <= 1b-24 /\ |product| <= 1b-24 /\ |root| <= 17b-24
  /\ size in [0, @PART@]
->
     |root| + |of_y| <= @ROOT_ROUNDING@                             # of M
  /\ |root| / 2 + |of_y| / 2 + 1.5 * |of_residue| + 1b-24 <= 0.0005 # of Q: a part of what 0.499 leaves
  /\ |root| + |distance| <= @ROOT_ROUNDING@                         # of M
  /\ |of_number| <= 8                                               # arguments
}
