#include "common/sweep/attempt.hpp"

#include <new>

#include "common/gpu/runtime/check.hpp"
#include "common/text/exit_code.hpp"

namespace trilane {
namespace {

void close(Cell& cell, Status status, const std::string& reason) {
  cell.status = status;
  cell.reason = reason;
}

}  // namespace

bool attempt(Cell& cell, const std::function<void()>& action) {
  try {
    action();
    return true;
  } catch (const UsageError& error) {  // knobs contradict each other in this cell
    close(cell, Status::not_supported, error.what());
  } catch (const NotPossible& reason) {
    close(cell, Status::not_supported, reason.what());
  } catch (const CudaError& error) {
    const bool memory = error.code() == cudaErrorMemoryAllocation;
    close(cell, memory ? Status::not_supported : Status::failed, error.what());
  } catch (const std::bad_alloc&) {
    close(cell, Status::not_supported, "the host's memory ran out: sweep to smaller sizes");
  } catch (const std::exception& error) {
    close(cell, Status::failed, error.what());
  }
  return false;
}

}  // namespace trilane
