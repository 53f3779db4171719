// Tests that try many cases try fewer of them, unless the environment asks for all.
#pragma once

#include "tests/framework.hpp"

namespace trilane {

/// Returns true if TRILANE_LONG is set: all cases, which takes many minutes.
inline bool in_long_form() { return std::getenv("TRILANE_LONG") != nullptr; }

}  // namespace trilane
