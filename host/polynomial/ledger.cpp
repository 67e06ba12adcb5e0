#include "polynomial/ledger.hpp"

namespace tmd {

const std::array<Ledger::Term, Ledger::term_count> Ledger::terms{{{"epsilon", &Ledger::epsilon, true, true},
                                                                  {"taylor", &Ledger::taylor, true, true},
                                                                  {"coefficients", &Ledger::coefficients, true, true},
                                                                  {"high", &Ledger::high, true, true},
                                                                  {"truncation1", &Ledger::truncation1, true, false},
                                                                  {"truncation2", &Ledger::truncation2, true, false},
                                                                  {"fixedpoint1", &Ledger::fixedpoint1, true, false},
                                                                  {"fixedpoint2", &Ledger::fixedpoint2, true, false},
                                                                  {"fixedpoint3", &Ledger::fixedpoint3, true, false},
                                                                  {"subinterval", &Ledger::subinterval, false, true},
                                                                  {"group", &Ledger::group, false, true}}};

void Ledger::merge(const Ledger& other) {
  for (const Term& term : terms)
    this->*term.value = max(this->*term.value, other.*term.value);
}

bool can_filter(const Bound& bound) { return bound < Bound::power_of_two(-2); }

} // namespace tmd
