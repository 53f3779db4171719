// CUPTI's activity records as Trilane's. CUPTI hands over buffers without saying whose: what comes
// is kept for the one tracer that lives.
#pragma once

#include <cupti.h>

#include "common/device/records.hpp"

namespace trilane {

/// The kinds of activity that are recorded. Without those of events and of synchronisation, which
/// come only together: with them tracing hung on an H200 (CUPTI 13.0.1). Markers say when a pass
/// began and ended instead.
inline constexpr CUpti_ActivityKind cupti_kinds[] = {
    CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
    CUPTI_ACTIVITY_KIND_RUNTIME};

/// Microseconds on CUPTI's clock since it was first asked. Throws NotPossible.
double cupti_now_us();

/// Has CUPTI hand over its records. Throws NotPossible.
void receive_cupti_records();

/// What has been recorded since it was last asked, without labels, on the clock of cupti_now_us(),
/// which must have been asked before. Throws NotPossible.
TraceRecords take_cupti_records();

}  // namespace trilane
