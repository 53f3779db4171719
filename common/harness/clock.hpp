// The host's clock. Alone in its file: a flavour with a simulated device defines its own.
#pragma once

namespace trilane {

/// Microseconds on a clock that never goes back; only differences mean anything.
double now_us();

}  // namespace trilane
