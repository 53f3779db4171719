// The errors of earlier calls.
#include <utility>

#include "common/device/simulator/machine/call.hpp"
#include "common/device/simulator/machine/error_codes.hpp"

using namespace trilane::simulator;

namespace {

/// Returns the last error of this thread; a sticky one stays. These two functions cannot fail, so
/// they are not counted as calls.
cudaError_t last_error(bool clear, const char* name = __builtin_FUNCTION()) {
  if (in_host_function()) return refuse_in_host_function(name);
  Machine& m = machine();
  const Hold hold(m);
  begin_call(m, name);
  end_call(m);
  if (m.sticky != cudaSuccess) return m.sticky;
  cudaError_t& last = m.last[this_thread()];
  return clear ? std::exchange(last, cudaSuccess) : last;
}

constexpr char unknown[] = "unrecognized error code";

}  // namespace

cudaError_t CUDARTAPI cudaGetLastError() { return last_error(true); }

cudaError_t CUDARTAPI cudaPeekAtLastError() { return last_error(false); }

const char* CUDARTAPI cudaGetErrorName(cudaError_t code) {
  const ErrorCode* known = find_error(code);
  return known == nullptr ? unknown : known->name;
}

const char* CUDARTAPI cudaGetErrorString(cudaError_t code) {
  const ErrorCode* known = find_error(code);
  return known == nullptr ? unknown : known->text;
}
