#include "common/application/pipelines/chunks/refused_call.hpp"

#include <fmt/format.h>

#include "common/application/iteration/order/call_traits.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"
#include "common/measure/gpu/images/kernel_names.hpp"

namespace trilane {

std::string words_of_call(const ApplicationRecording& recording, std::size_t call) {
  const RecordedCall& made = recording.calls[call];
  std::string what = made.kind == CallKind::kernel
                         ? "kernel " + qualified_name(recording.kernels[made.kernel].name)
                     : made.kind == CallKind::other ? function_of(made)
                                                    : operation_name(made, recording);
  return fmt::format("{} #{}", printable(what, 100), call);
}

void refuse_call(const ApplicationRecording& recording, std::size_t call, const std::string& why) {
  throw UsageError(fmt::format("{}: {}", words_of_call(recording, call), why));
}

}  // namespace trilane
