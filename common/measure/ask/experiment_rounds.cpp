#include "common/measure/ask/experiment_rounds.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "common/base/console/interrupt.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/model/workload/random.hpp"

namespace trilane {
namespace {

class Rounds {
 public:
  Rounds(Experiment& experiment, const AskSettings& settings)
      : conditions_(experiment.conditions()),
        settings_(settings),
        most_(std::min(settings.simulated ? settings.fewest : settings.most,
                       experiment.most_rounds())),
        random_(settings.seed) {
    if (settings.turned_round) {
      Condition& condition = conditions_.at(settings.turned_round->first);
      condition.sample = condition.turned_round.at(settings.turned_round->second);
    }
    for (const Condition& c : conditions_) figures_.push_back({c.name, c.quantity, {}});
  }

  std::vector<Figure> run() {
    round(false);
    const double start = now_us();
    for (std::uint32_t done = 0;
         done < most_ &&
         (done < settings_.fewest || now_us() - start < settings_.seconds * us_per_second);
         ++done) {
      round(true);
    }
    return std::move(figures_);
  }

 private:
  static constexpr double us_per_second = 1e6;

  void round(bool counts) {
    std::vector<std::size_t> order(conditions_.size());
    std::iota(order.begin(), order.end(), 0);
    shuffle<std::size_t>(order, random_);
    for (const std::size_t i : order) {
      if (settings_.interrupted()) throw Interrupted();
      const double sample = conditions_[i].sample();
      if (counts) figures_[i].samples.push_back(sample);
    }
  }

  std::vector<Condition> conditions_;
  const AskSettings& settings_;
  const std::uint32_t most_;
  Random random_;
  std::vector<Figure> figures_;
};

}  // namespace

std::vector<Figure> measure(const Question& question, const AskSettings& settings) {
  const std::unique_ptr<Experiment> experiment = question.make();
  return Rounds(*experiment, settings).run();
}

Reply ask(const Question& question, const AskSettings& settings) {
  Reply reply;
  reply.question = question.name;
  if (settings.simulated && !question.not_modelled.empty()) {
    reply.finding = Finding::not_modelled;
    reply.sentence = question.not_modelled;
    return reply;
  }
  const auto start = std::chrono::steady_clock::now();
  try {
    reply.figures = measure(question, settings);
    conclude(question, reply);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    reply.finding = Finding::failed;
    reply.sentence = error.what();
  }
  const std::vector<std::string> hazards = take_hazards();
  reply.hazards = hazards.size();
  if (!hazards.empty()) reply.first_hazard = hazards.front();
  reply.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return reply;
}

}  // namespace trilane
