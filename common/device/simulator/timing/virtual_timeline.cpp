#include "common/device/simulator/timing/virtual_timeline.hpp"

#include <algorithm>

namespace trilane::simulator {

void Timeline::enqueue(const OperationPtr& operation) {
  spend(costs_.host_us(*operation));
  operation->issued_us = host_us_;
  engines_.add(operation);
}

void Timeline::host_function_returned(Operation& operation) {
  engines_.host_function_returned(operation, host_us_);
}

void Timeline::wait_for(const Frontier& targets) { host_us_ = time_of(targets, host_us_); }

double Timeline::time_of(const Frontier& targets, double issued_us) {
  engines_.run_until(targets);
  for (const OperationPtr& target : targets) issued_us = std::max(issued_us, target->finished_us);
  return issued_us;
}

}  // namespace trilane::simulator
