// Cuts the range of a search into fields, ahead of the workers. First come the regimes, where nothing has to be
// searched. The rest are stretches: engines claim those that they serve before output binades are looked at, and the
// others are cut into pieces. The cuts are always in the same places, whatever an earlier run has done and whatever
// part of the range is asked for: a resumed search or a shard has the same fields as the whole. Regimes of an earlier
// run are compared with what is proven now.
#pragma once

#include "search/accounts.hpp"
#include "search/dispatcher.hpp"
#include "search/search.hpp"

#include <optional>
#include <vector>

namespace tmd::searches {

// Used by one thread.
class Cutter {
public:
  // to_do: ranks that no earlier run has covered or left out. known: the regimes that an earlier run has proven, sorted
  // by argument.
  Cutter(const job::Job& job, const SearchHooks& hooks, const Claims& claims, const job::Coverage& to_do,
         const std::vector<job::RegimeRange>& known, engine::Interrupt interrupted, Dispatcher& dispatcher,
         Accounts& accounts);

  // Gives all fields to the dispatcher and the accounts, waiting while too many are queued. Throws Interrupted when the
  // search stops, and SoundnessError if a regime contradicts MPFR or an earlier run.
  void cut();

private:
  // A stretch, the claims of engines in the part of it that is to be searched, and the ranks of what nobody claims
  // there.
  struct ToCut {
    job::Stretch stretch;
    std::vector<engine::Field> claimed;
    job::Coverage rest;
  };

  void cut_range();
  [[nodiscard]] ToCut to_cut(const job::Stretch& stretch) const;
  void cut(ToCut next);
  void cut_pieces(const job::Stretch& stretch, const job::Coverage& rest);
  void cut_pieces_of(const job::Coverage& ranks);
  void cut_left(const job::Stretch& left, const job::Coverage& of_left);
  void add_families(std::vector<ToCut>& waiting);
  void add(const Family& family);
  void add(engine::Field field);
  void add_all(const job::RankInterval& ranks, const std::optional<job::OutputBinade>& values);
  void add_regime(const job::RegimeRange& range);
  void leave_out(const job::RankInterval& ranks);
  void compare_known(const job::RankInterval& ranks, const std::optional<job::Regime>& proven) const;
  [[nodiscard]] bool is_out_of_reach(const job::RankInterval& some, const job::RankInterval& stretch) const;
  [[nodiscard]] job::RankInterval ranks_of_all(const job::Stretch& stretch) const;

  const job::Job& job_;
  const SearchHooks& hooks_;
  const Claims& claims_;
  const job::Coverage& to_do_;
  const std::vector<job::RegimeRange>& known_;
  const engine::Interrupt interrupted_;
  Dispatcher& dispatcher_;
  Accounts& accounts_;
};

} // namespace tmd::searches
