# Residues, their sums, and the members of parts are integers that float holds exactly.
#
# @MEMBER@: M + 8 + 5Q/2 of a part: a residue is below 3Q/2, and to it Q is added; a part's members lie at most 8 and Q
# beyond its ends.
@rnd = float<ieee_32, ne>;

member = fixed<0, ne>(any);

{ |member| <= @MEMBER@
->
  rnd(member) - member in [0, 0]
}
