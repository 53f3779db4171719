// Runs the variants of a comparison in a process each. A process holds what a plain program of its
// variant would: no other variant's streams, graphs, modules or memory.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/measure/harness/apart/channel.hpp"
#include "common/measure/harness/apart/messages.hpp"
#include "common/measure/rounds/bench.hpp"

namespace trilane {

/// The processes of a comparison's variants, in its order. They outlive their benches.
struct Workers {
  std::vector<Channel> channels;
  /// Returns how a variant's process ended, after its channel broke: "was ended by signal 9".
  std::function<std::string(std::size_t)> how_it_ended;
};

/// Waits until every reachable worker has started.
void wait_for_start(Workers& workers);

/// Asks one worker after the other, so that only one of them has work on the GPU. A failing worker
/// does not affect the others, which have GPU contexts of their own.
class ApartBench final : public Bench {
 public:
  /// A worker opens the workload when its variant is set up. `draw_input` draws into the shared
  /// memory, where a worker's check finds it.
  ApartBench(Workers& workers, std::uint32_t workload, std::uint32_t rounds,
             std::function<void()> draw_input);

  void new_input() override;
  double set_up(std::size_t variant) override;
  double pass(std::size_t variant) override;
  std::vector<Sample> turn(std::size_t variant, const TurnPlan& plan) override;
  std::string check(std::size_t variant, std::uint32_t batch) override;
  std::vector<Count> evidence(std::size_t variant) override;
  double tear_down(std::size_t variant) override;
  /// Returns false, because a sticky error affects only one worker.
  bool lost() override { return false; }
  double now() override;

 private:
  WorkerReply ask(std::size_t variant, const WorkerRequest& request);

  Workers& workers_;
  WorkerRequest open_;
  std::function<void()> draw_input_;
};

}  // namespace trilane
