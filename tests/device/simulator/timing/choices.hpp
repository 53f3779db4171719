// Every sequence of choices that a draw can make, one after the other.
#pragma once

#include "common/device/simulator/timing/schedule.hpp"
#include "tests/framework.hpp"

namespace trilane::simulator {

/// A depth-first walk that keeps no state except the choices. A run repeats the given choices, then
/// takes the first of each. next() advances the last one that can be advanced, like an odometer.
class Choices {
 public:
  /// Returns the next choice of this run, 0 to `count` - 1. Throws std::logic_error if an earlier
  /// run had other choices at this place after the same ones before it.
  std::size_t choose(std::size_t count) {
    if (made_ == choices_.size()) choices_.push_back({0, count});
    const Choice& choice = choices_[made_++];
    if (choice.count != count) throw std::logic_error("a run depends on more than its choices");
    return choice.taken;
  }

  /// Ends the run, and goes on to the next sequence; returns false if none exists.
  bool next() {
    if (made_ != choices_.size()) throw std::logic_error("a run made fewer choices than before");
    made_ = 0;
    while (!choices_.empty() && choices_.back().taken + 1 == choices_.back().count) {
      choices_.pop_back();
    }
    if (choices_.empty()) return false;
    ++choices_.back().taken;
    return true;
  }

 private:
  struct Choice {
    std::size_t taken, count;
  };
  std::vector<Choice> choices_;
  std::size_t made_ = 0;  // in this run
};

/// Draws the next choices.
class ChosenDraw final : public Draw {
 public:
  explicit ChosenDraw(std::shared_ptr<Choices> choices) : choices_(std::move(choices)) {}
  std::size_t next_operation(std::size_t count) override { return choices_->choose(count); }
  bool may() override { return choices_->choose(2) == 1; }

 private:
  std::shared_ptr<Choices> choices_;  // a machine may keep the draw for longer than a test
};

}  // namespace trilane::simulator
