// The variants of a comparison, each in a process of its own, which has what a plain program of
// that variant has: no other variant's streams, graphs, modules and memory.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "common/harness/apart/channel.hpp"
#include "common/harness/apart/messages.hpp"
#include "common/harness/rounds/bench.hpp"

namespace trilane {

/// The processes of a comparison's variants, in its order. They outlive their benches.
struct Workers {
  std::vector<Channel> channels;
  /// How the process of a variant ended, after its channel broke: "was ended by signal 9".
  std::function<std::string(std::size_t)> how_it_ended;
};

/// Asks the workers one at a time, so that only one of them has work on the GPU. A worker that
/// fails fails alone: the others have GPU contexts of their own.
class ApartBench final : public Bench {
 public:
  /// Lets all workers open the workload at once. `draw_input` draws into the memory that they
  /// share. What a worker could not open is thrown by its set_up().
  ApartBench(Workers& workers, std::uint32_t workload, std::uint32_t rounds,
             std::function<void()> draw_input);

  void new_input() override;
  double set_up(std::size_t variant) override;
  double pass(std::size_t variant) override;
  double pass_by_phase(std::size_t variant) override;
  const std::vector<PhaseTime>& phases() override { return phases_; }
  std::vector<Sample> turn(std::size_t variant, const TurnPlan& plan) override;
  std::string check(std::size_t variant, std::uint32_t batch) override;
  double host_us() override { return 0; }  // a worker's turn() knows its own
  std::vector<Count> evidence(std::size_t variant) override;
  double tear_down(std::size_t variant) override;
  std::uint64_t free_bytes() override;
  /// A sticky error is one worker's alone.
  bool lost() override { return false; }
  double now() override;

 private:
  void send(std::size_t variant, const WorkerRequest& request);
  WorkerReply receive(std::size_t variant);
  WorkerReply ask(std::size_t variant, const WorkerRequest& request);
  void keep(const std::vector<WorkerPhase>& phases);

  Workers& workers_;
  std::function<void()> draw_input_;
  std::vector<WorkerReply> opened_;
  std::size_t latest_ = 0;       // the variant that was asked last
  std::set<std::string> names_;  // of phases
  std::vector<PhaseTime> phases_;
};

}  // namespace trilane
