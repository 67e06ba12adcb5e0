#include "tune/tune_costs.hpp"

#include "tune/measure_costs.hpp"

#include <cmath>

#include <fmt/format.h>

namespace tmd::tune {

namespace {

constexpr int pairs = 9; // of alternating runs

// A text of a worker's message; empty where there is none.
std::string text_of(const Message& message, const char* member) {
  const auto found = message.find(member);
  return found != message.end() && found->is_string() ? found->get<std::string>() : "";
}

// What a worker says is wrong; empty where it answers.
std::string failure_of(const Answer& answer) {
  return answer.kind == Answer::Kind::message ? text_of(answer.message, "error") : answer.text;
}

// Times by algorithm, run by run; empty where a worker's answer makes no sense.
std::vector<CostSeconds> runs_of(const Message& message, const char* member) {
  std::vector<CostSeconds> runs;
  const auto found = message.find(member);
  if (found == message.end() || !found->is_array())
    return {};
  for (const Message& run : *found) {
    CostSeconds& seconds = runs.emplace_back();
    if (!run.is_array() || run.size() != seconds.size())
      return {};
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      if (!run[i].is_number() || !(run[i].get<double>() > 0) || !std::isfinite(run[i].get<double>()))
        return {};
      seconds.at(i) = run[i].get<double>();
    }
  }
  return runs;
}

Verdict verdict_of(const std::vector<CostSeconds>& before, const std::vector<CostSeconds>& after,
                   std::size_t algorithm) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < before.size(); ++i)
    ratios.push_back(after[i].at(algorithm) / before[i].at(algorithm));
  return judge(std::move(ratios));
}

void compare(CostTuning& costs, const Tunables& base, const Tunables& tuned, const Ask& ask) {
  const Answer answer = ask({{"cost-pairs", pairs},
                             {"tunables", to_json(tuned)},
                             {"first", to_json(costs.before)},
                             {"second", to_json(*costs.measured)},
                             {"base", to_json(base)}});
  costs.note = failure_of(answer);
  if (!costs.note.empty())
    return;
  costs.note = text_of(answer.message, "message");
  if (!costs.note.empty())
    return;
  const std::vector<CostSeconds> before = runs_of(answer.message, "first");
  const std::vector<CostSeconds> after = runs_of(answer.message, "second");
  if (before.empty() || before.size() != after.size()) {
    costs.note = "the worker's answer makes no sense";
    return;
  }
  costs.pairs = static_cast<int>(before.size());
  costs.wide = verdict_of(before, after, 0);
  costs.automatic = verdict_of(before, after, 1);
  for (const auto& [name, verdict] :
       {std::pair(cost_algorithms[0], &costs.wide), {cost_algorithms[1], &costs.automatic}})
    if (verdict->loses())
      costs.note += fmt::format("{}searches by {} take {:.3f} ± {:.3f} of the time with the default costs",
                                costs.note.empty() ? "" : "; ", name, verdict->ratio, verdict->noise);
}

} // namespace

CostTuning tune_costs(const Tunables& base, const Tunables& tuned, const Costs& before, const Ask& ask) {
  CostTuning costs;
  costs.before = before;
  const Answer answer = ask({{"costs", to_json(tuned)}, {"base", to_json(base)}});
  costs.note = failure_of(answer);
  if (!costs.note.empty())
    return costs;
  Costs measured;
  const auto found = answer.message.find("costs");
  if (found == answer.message.end() || !from_json(*found, measured)) {
    costs.note = "the worker's answer makes no sense";
    return costs;
  }
  costs.measured = measured;
  compare(costs, base, tuned, ask);
  return costs;
}

} // namespace tmd::tune
