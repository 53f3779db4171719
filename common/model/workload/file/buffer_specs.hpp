// The buffers of a pipeline file.
#pragma once

#include <boost/json/value.hpp>

#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

inline const std::vector<std::string> buffer_keys{"type",  "count",     "fill",
                                                  "check", "tolerance", "reference"};

/// The most numbers in a pattern.
inline constexpr std::size_t most_pattern = 4096;

/// Reads "buffers". Throws a Misfit.
std::vector<BufferSpec> buffers_in(const boost::json::value& value);

/// Returns the index of the buffer that `value` names. Throws a Misfit if no buffer has that name.
std::uint32_t buffer_in(const boost::json::value& value, const std::vector<BufferSpec>& buffers);

}  // namespace trilane
