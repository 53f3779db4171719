#include "common/measure/rounds/checks.hpp"

#include <string>
#include <utility>

#include "common/model/variant/plan.hpp"

namespace trilane {

void Checks::before(int times, std::uint32_t batch) {
  listener_.phase("checking");
  for (times_ = times; times_ > 0; --times_) all(batch);
}

void Checks::all(std::uint32_t batch) {
  if (roster_.left() == 0) return;
  bench_.new_input();
  roster_.each([&](std::size_t variant) {
    const double start = bench_.now();
    one(variant, batch);
    const bool is_first = std::exchange(one_us_, bench_.now() - start) == 0;
    const std::string text = announced("checking", seconds() * times_);
    if (is_first && text != "checking") listener_.phase(text);
  });
}

void Checks::again(std::uint32_t batch) {
  listener_.phase(announced("checking again", seconds()));
  all(batch);
}

void Checks::one(std::size_t variant, std::uint32_t batch) {
  check(variant, 1);
  if (batch > 1 && roster_.takes_part(variant)) check(variant, batch);
}

void Checks::plan(std::size_t variant) {
  roster_[variant].evidence = bench_.evidence(variant);
  const auto missed = mismatches(roster_[variant].plan.facts, roster_[variant].evidence);
  if (!missed.empty()) roster_.fail(variant, "evidence contradicts the plan: " + missed.front());
}

void Checks::check(std::size_t variant, std::uint32_t batch) {
  const std::string wrong = bench_.check(variant, batch);
  if (!wrong.empty()) return roster_.fail(variant, wrong);
  ++roster_[variant].checked_passes;
}

double Checks::seconds() const {
  return one_us_ * static_cast<double>(roster_.left()) / us_per_second;
}

}  // namespace trilane
