#include "common/commands/ending.hpp"

#include "common/base/console/interrupt.hpp"
#include "common/base/text/words.hpp"
#include "common/measure/gpu/runtime/check.hpp"
#include "common/measure/processes/run_processes.hpp"

namespace trilane {

Ending ending_of(const std::exception_ptr& thrown) try {
  std::rethrow_exception(thrown);
} catch (const Interrupted&) {
  return {exit_interrupted, ""};
} catch (const UsageError& error) {
  return {exit_usage, error.what()};
} catch (const NoGpu& error) {
  return {exit_no_gpu, error.what()};
} catch (const NotPossible& error) {
  return {exit_not_possible, error.what()};
} catch (const std::bad_alloc&) {
  return {exit_not_possible, "the host ran out of memory: end other programs, or choose less work"};
} catch (const OutputError& error) {
  return {exit_output, error.what()};
} catch (const ProcessFailed& error) {
  return {error.code, error.what()};
} catch (const WrongResult& error) {
  return {exit_wrong, error.what()};
} catch (const CudaError& error) {
  return {exit_wrong, error.what()};
} catch (const std::exception& error) {
  return {exit_unexpected,
          fmt::format("unexpected error: {}; please report it with the command line and the files",
                      printable(error.what()))};
}

}  // namespace trilane
