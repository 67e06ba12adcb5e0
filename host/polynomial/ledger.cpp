#include "polynomial/ledger.hpp"

namespace tmd {

const std::array<Ledger::Term, Ledger::term_count> Ledger::terms{{{"epsilon", &Ledger::epsilon},
                                                                  {"taylor", &Ledger::taylor},
                                                                  {"coefficients", &Ledger::coefficients},
                                                                  {"high", &Ledger::high},
                                                                  {"truncation1", &Ledger::truncation1},
                                                                  {"truncation2", &Ledger::truncation2},
                                                                  {"fixedpoint1", &Ledger::fixedpoint1},
                                                                  {"fixedpoint2", &Ledger::fixedpoint2},
                                                                  {"fixedpoint3", &Ledger::fixedpoint3},
                                                                  {"subinterval", &Ledger::subinterval},
                                                                  {"group", &Ledger::group}}};

void Ledger::merge(const Ledger& other) {
  for (const Term& term : terms)
    this->*term.value = max(this->*term.value, other.*term.value);
}

bool can_filter(const Bound& bound) { return bound < Bound::power_of_two(-2); }

} // namespace tmd
