#include "common/application/recorder/listening/ends_of_work.hpp"

#include <algorithm>

namespace trilane {

bool ends_work(const ObservedCall& call) {
  return only_waits(call.kind) || call.kind == CallKind::free || call.done;
}

bool has_end_of_work(const ObservedIteration* iteration) {
  return iteration != nullptr && std::ranges::any_of(iteration->calls, ends_work);
}

}  // namespace trilane
