#include "common/harness/rounds/roster.hpp"

#include <algorithm>

namespace trilane {

std::size_t Roster::left() const {
  return static_cast<std::size_t>(
      std::ranges::count(comparison_.measurements, Status::ok, &Measurement::status));
}

void Roster::fail(std::size_t variant, const std::string& message) {
  comparison_.measurements[variant].status = Status::failed;
  comparison_.measurements[variant].message = message;
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

}  // namespace trilane
