// A bench for tests of the harness: records requests, and has its own clock.
#pragma once

#include "common/measure/harness/pricing.hpp"
#include "tests/framework.hpp"

namespace trilane {

/// A bench with a clock of its own and one stream each; derived benches say what takes time.
class BenchWithClock : public PricedBench {
 public:
  void new_input() override {}
  double pass_by_phase(std::size_t variant) override { return pass(variant); }
  const std::vector<PhaseTime>& phases() override { return phases_; }
  double between_events_us(std::size_t, std::uint32_t) override { return 2; }
  double host_us() override { return 0; }
  std::string check(std::size_t, std::uint32_t) override { throw std::logic_error("no checks"); }
  std::vector<Count> evidence(std::size_t) override { return {{"streams", 4}}; }
  std::uint64_t free_bytes() override { return 0; }
  bool lost() override { return is_lost; }
  double now() override { return clock_; }

  void advance(double us) { clock_ += us; }

  bool is_lost = false;

 protected:
  /// Returns `us`, after that time.
  double spend(double us) {
    clock_ += us;
    return us;
  }

  std::vector<PhaseTime> phases_;

 private:
  double clock_ = 0;
};

/// Records the harness's requests; its clock advances by the time of a variant's pass.
class FakeBench : public BenchWithClock {
 public:
  explicit FakeBench(std::vector<double> pass_us) : pass_us_(std::move(pass_us)) {}

  void new_input() override { log("input"); }
  double set_up(std::size_t variant) override {
    log("set up", variant);
    return 5;
  }
  double pass(std::size_t variant) override {
    log("pass", variant);
    return spend(pass_us_[variant]);
  }
  Sample without_events(std::size_t variant, std::uint32_t batch) override {
    log("sample", variant);
    batches.insert(batch);
    const double jitter = 1 + 0.01 * static_cast<double>(calls.size() % 7);
    spend(batch * pass_us_[variant]);
    return {.submit_us = 1, .wall_us = pass_us_[variant] * jitter * factor(variant)};
  }
  double between_events_us(std::size_t variant, std::uint32_t batch) override {
    log("device", variant);
    spend(batch * pass_us_[variant]);
    return 2;
  }
  double host_us() override { return host_speed_us(); }
  std::string check(std::size_t variant, std::uint32_t batch) override {
    log("check", variant);
    checked_batches.insert(batch);
    spend(check_us);
    return wrong(variant);
  }
  std::vector<Count> evidence(std::size_t variant) override {
    log("evidence", variant);
    return BenchWithClock::evidence(variant);
  }
  double tear_down(std::size_t variant) override {
    log("tear down", variant);
    return 7;
  }

  /// Loses the device in that call of that variant, with an exception.
  void lose_in(const std::string& call, std::size_t in) {
    on_call = [=, this](const std::string& what, std::size_t variant) {
      if (what != call || variant != in) return;
      is_lost = true;
      throw std::runtime_error("illegal address");
    };
  }
  void log(const std::string& what, std::size_t variant = 99) {
    calls.emplace_back(what, variant);
    on_call(what, variant);
  }
  std::size_t count(const std::string& what, std::size_t variant) const {
    return static_cast<std::size_t>(std::ranges::count(calls, std::pair(what, variant)));
  }

  std::vector<std::pair<std::string, std::size_t>> calls;
  std::set<std::uint32_t> batches, checked_batches;
  std::function<double()> host_speed_us = [] { return 8.0; };
  std::function<void(const std::string&, std::size_t)> on_call = [](const auto&, auto) {};
  std::function<std::string(std::size_t)> wrong = [](auto) { return std::string(); };
  std::function<double(std::size_t)> factor = [](auto) { return 1.0; };  ///< of wall times
  double check_us = 0;

 private:
  std::vector<double> pass_us_;
};

inline Comparison comparison_of(std::size_t variants, std::uint64_t seed = 1) {
  Comparison comparison;
  comparison.reference = "v0";
  comparison.seed = seed;
  for (std::size_t v = 0; v < variants; ++v) {
    Measurement measurement;
    measurement.variant = "v" + std::to_string(v);
    measurement.status = Status::ok;
    measurement.plan.facts = {{"streams", 4, false}};
    comparison.measurements.push_back(measurement);
  }
  return comparison;
}

/// 1 s of passes of about 1 ms with three variants on one set-up each; only the time ends it unless
/// a test says more.
struct HarnessFixture {
  FakeBench bench{{1000, 2000, 500}};
  Comparison comparison = comparison_of(3);
  HarnessSettings settings{.seconds = 1, .renewing_share = 0, .warm_up_us = 3000};
  HarnessListener listener;
  void run() { run_comparison(bench, comparison, settings, listener); }
  std::vector<std::string> phases_of_run() {
    std::vector<std::string> phases;
    listener.phase = [&](const std::string& phase) { phases.push_back(phase); };
    run();
    return phases;
  }
};

}  // namespace trilane
