#include "common/measure/rounds/roster.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <tuple>
#include <utility>

#include "common/base/text/exit_code.hpp"
#include "common/model/variant/plan.hpp"

namespace trilane {

std::pair<Status, std::string> failure_of(const std::exception_ptr& thrown) try {
  std::rethrow_exception(thrown);
} catch (const OutOfMemory& error) {
  return {Status::out_of_memory, error.what()};
} catch (const NotPossible& error) {
  return {Status::not_supported, error.what()};
} catch (const std::bad_alloc&) {
  return {Status::out_of_memory, "the host ran out of memory"};
} catch (const std::exception& error) {
  return {Status::failed, error.what()};
}

std::size_t Roster::left() const {
  return static_cast<std::size_t>(
      std::ranges::count(comparison_.measurements, Status::ok, &Measurement::status));
}

void Roster::fail(std::size_t variant, const std::string& message) {
  comparison_.measurements[variant].status = Status::failed;
  comparison_.measurements[variant].message = message;
}

void Roster::fail(std::size_t variant, const std::exception_ptr& thrown) {
  Measurement& m = comparison_.measurements[variant];
  std::tie(m.status, m.message) = failure_of(thrown);
}

void Roster::dismiss(const std::string& message) {
  for (Measurement& measurement : comparison_.measurements) {
    if (measurement.status != Status::ok) continue;
    measurement.status = Status::not_run;
    measurement.message = message;
  }
}

void Roster::lose(std::size_t culprit) {
  comparison_.stopped = "lost";
  dismiss("not run to the end: the error of " + comparison_.measurements[culprit].variant +
          " leaves the GPU unusable for this process");
}

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
