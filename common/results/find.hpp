// Looking things up in the records.
#pragma once

#include <string>
#include <vector>

#include "common/results/results.hpp"

namespace trilane {

/// The measurement of `variant`; nullptr without one.
const Measurement* find_variant(const Comparison& comparison, const std::string& variant);

/// The reference's measurement; nullptr without one.
const Measurement* find_reference(const Comparison& comparison);

/// The value of the property called `name`; empty without one.
std::string value_of(const std::vector<Property>& properties, const std::string& name);

}  // namespace trilane
