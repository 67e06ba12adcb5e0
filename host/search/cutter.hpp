// Cuts the range of a search into fields, ahead of the workers. First come the regimes, in which every argument is a
// case or none and nothing has to be searched; what is left are stretches, of which engines claim what they serve
// before output binades are looked at; the rest is cut into pieces. The cuts are always in the same places, whatever an
// earlier run has done and whatever part of the range is asked for: so a search that goes on, or one of a shard, has
// the fields that the whole has. What an earlier run has proven is compared with what is proven now.
#pragma once

#include "search/accounts.hpp"
#include "search/dispatcher.hpp"
#include "search/search.hpp"

#include <optional>
#include <vector>

namespace tmd {

// Used by one thread.
class Cutter {
public:
  // to_do: ranks that no earlier run has covered or left out. known: the regimes that an earlier run has proven, by
  // argument.
  Cutter(const Job& job, const SearchHooks& hooks, const Claims& claims, const Coverage& to_do,
         const std::vector<RegimeRange>& known, Interrupt interrupted, Dispatcher& dispatcher, Accounts& accounts);

  // Gives all that is to be done to the dispatcher and the accounts, waiting where there is much. Throws Interrupted
  // when the search stops, and SoundnessError where a regime is not what MPFR or an earlier run says of it.
  void cut();

private:
  void cut_range();
  void cut(const Stretch& stretch);
  void cut_pieces(const Stretch& stretch, const Coverage& rest);
  void cut_pieces_of(const Coverage& ranks);
  void cut_left(const Stretch& left, const Coverage& of_left);
  [[nodiscard]] Coverage add_claims(const Stretch& stretch);
  void add(Field field);
  void add_all(const RankInterval& ranks, const std::optional<OutputBinade>& values);
  void settle(const RegimeRange& range);
  void leave_out(const RankInterval& ranks);
  void compare_known(const RankInterval& ranks, const std::optional<Regime>& proven) const;
  [[nodiscard]] bool is_out_of_reach(const RankInterval& some, const RankInterval& stretch) const;
  [[nodiscard]] RankInterval ranks_of_all(const Stretch& stretch) const;

  const Job& job_;
  const SearchHooks& hooks_;
  const Claims& claims_;
  const Coverage& to_do_;
  const std::vector<RegimeRange>& known_;
  const Interrupt interrupted_;
  Dispatcher& dispatcher_;
  Accounts& accounts_;
};

} // namespace tmd
