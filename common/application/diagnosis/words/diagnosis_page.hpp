// A diagnosis in words.
#pragma once

#include "common/application/diagnosis/records/diagnosis.hpp"
#include "common/text/page.hpp"

namespace trilane {

/// The answer first, then causes, the critical path, findings, races, what varies, what cannot be
/// replayed, and what limits these statements.
Page diagnosis_page(const Diagnosis& diagnosis);

}  // namespace trilane
