// A bench that slows one variant down by a known share, to see whether that is found.
#pragma once

#include "common/harness/rounds/bench.hpp"

namespace trilane {

/// Another bench, but the wall times of one variant are longer by exactly this share: after each
/// pass the host stays busy. (Within submit the device would hide it.) Other variants are followed
/// by the same busy time, unmeasured, because a device that idles longer is slower afterwards.
/// Submit and device times stay as they are.
class SlowedBench final : public Bench {
 public:
  /// `bench` outlives it.
  SlowedBench(Bench& bench, std::size_t variant, double share)
      : bench_(bench), slowed_(variant), share_(share) {}

  double pass(std::size_t variant) override { return slowed(variant, bench_.pass(variant)); }
  double pass_by_phase(std::size_t variant) override {
    return slowed(variant, bench_.pass_by_phase(variant));
  }
  Sample sample(std::size_t variant, std::uint32_t batch) override;

  void new_input() override { bench_.new_input(); }
  double set_up(std::size_t variant) override { return bench_.set_up(variant); }
  const std::vector<PhaseTime>& phases() override { return bench_.phases(); }
  std::string check(std::size_t variant, std::uint32_t batch) override {
    return bench_.check(variant, batch);
  }
  std::vector<Count> evidence(std::size_t variant) override { return bench_.evidence(variant); }
  double tear_down(std::size_t variant) override { return bench_.tear_down(variant); }
  std::uint64_t free_bytes() override { return bench_.free_bytes(); }
  bool lost() override { return bench_.lost(); }
  double now() override { return bench_.now(); }

 private:
  double slowed(std::size_t variant, double wall_us);

  Bench& bench_;
  std::size_t slowed_;
  double share_;
};

}  // namespace trilane
