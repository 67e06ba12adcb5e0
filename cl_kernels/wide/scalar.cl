// All kernels of the wide test except those for groups and their parts, and the operations that its proof requires.
// They are one program because compilers take longer to begin one, and to find it in their caches, than for kernels
// this short.
//
// Expects no macros.
#define TMD_VECTOR_WIDTH 1
#define TMD_COEFFICIENT_WORDS TMD_USUAL_WORDS
#include "../common/portable.clh"
#include "../common/vector.clh"
#include "../common/vector32.clh"
#include "../common/append.clh"
#include "../common/evidence.clh"
#include "../self_test/arithmetic.clh"
#include "parameters.clh"
#include "polynomial.clh"
#include "seam.clh"
#include "shift.clh"
#include "sources.clh"
#include "shift_kernel.clh"
#include "sub_intervals.clh"
#include "check.clh"
