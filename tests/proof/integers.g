# Members, residues and their sums are integers that float holds exactly.
#
# @MEMBER@: M + 3Q/2 at most: a root may lie Q/2 beyond the group, and a member Q/2 further, and a residue is one Q more.
@rnd = float<ieee_32, ne>;

member = fixed<0, ne>(any);

{ |member| <= @MEMBER@
->
  rnd(member) - member in [0, 0]
}
