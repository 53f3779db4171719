#include "common/measure/rounds/roster.hpp"

#include <algorithm>
#include <new>

#include "common/base/text/exit_code.hpp"

namespace trilane {

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
  try {
    std::rethrow_exception(thrown);
  } catch (const OutOfMemory& error) {
    m.status = Status::out_of_memory;
    m.message = error.what();
  } catch (const NotPossible& error) {
    m.status = Status::not_supported;
    m.message = error.what();
  } catch (const std::bad_alloc&) {
    m.status = Status::out_of_memory;
    m.message = "the host's memory ran out";
  } catch (const std::exception& error) {
    fail(variant, error.what());
  }
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
