// Converts CUPTI's activity records to TraceRecords. CUPTI's buffers do not name a subscriber, so
// all records are kept for the one living tracer.
#pragma once

#include <cupti.h>

#include "common/device/flavour/records.hpp"

namespace trilane {

/// The recorded kinds of activity. Events and synchronisation, which can only be recorded together,
/// are left out: with them tracing hung on an H200 (CUPTI 13.0.1). Markers show the start and end
/// of a pass instead.
inline constexpr CUpti_ActivityKind cupti_kinds[] = {
    CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
    CUPTI_ACTIVITY_KIND_RUNTIME};

/// Returns microseconds on CUPTI's clock since the first call. Throws NotPossible.
double cupti_now_us();

/// Registers for CUPTI's records. Throws NotPossible.
void receive_cupti_records();

/// Returns the records since the last call, without labels. Times are on the clock of
/// cupti_now_us(), which must have been called before. Throws NotPossible.
TraceRecords take_cupti_records();

}  // namespace trilane
