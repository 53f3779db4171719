// Lays a diagnosis out as a page.
#pragma once

#include "common/application/iteration/records/diagnosis.hpp"
#include "common/base/text/page.hpp"

namespace trilane {

/// Returns the answer first, then causes, the critical path, findings, races, what varies, what
/// cannot be replayed, and what limits these statements.
Page diagnosis_page(const Diagnosis& diagnosis);

}  // namespace trilane
