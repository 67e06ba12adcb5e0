// A program for the operations that the proofs require, for engines without a program to put them into.
//
// Expects TMD_FP64, 0 or 1: whether the device has FP64, too.
#define TMD_VECTOR_WIDTH 1
#include "../common/portable.clh"
#include "../common/vector.clh"
#include "../common/evidence.clh"
#include "arithmetic.clh"
