// Makes a diagnosis of a recording.
#pragma once

#include "common/application/diagnosis/iteration_schedule.hpp"
#include "common/application/iteration/diagnosis.hpp"
#include "common/base/json/document.hpp"
#include "common/explain/analysis/trace/traced_pass.hpp"

namespace trilane {

inline constexpr Schema diagnosis_schema{"trilane diagnosis", 1, 1};

/// Needs no device. For a recording without calls, returns a diagnosis without times. The
/// recording's indices must be within their lists, as its file's reader ensures.
Diagnosis diagnosis_of(const ApplicationRecording& recording);

/// Returns which calls a graph would replace, and what it leaves to the device.
GraphBound graph_bound(const IterationSchedule& schedule);

/// Returns one iteration's calls and, if the recording has device times, its operations. Lanes are
/// the streams. Copies within the device count as kernels, as in the variants.
VariantTrace trace_of(const ApplicationRecording& recording);

/// Returns the diagnosis as a file's text.
std::string to_json(const Diagnosis& diagnosis);

}  // namespace trilane
