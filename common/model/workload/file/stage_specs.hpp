// The buffers and stages of a pipeline file, and the kernels of stages with their arguments.
#pragma once

#include <boost/json/value.hpp>

#include "common/model/workload/file/fields.hpp"
#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

/// The keys of a kernel, except those of every stage, and "early", which only a stage has.
inline const std::vector<std::string> kernel_keys{"kernel", "file",      "grid",   "block",
                                                  "shared", "arguments", "time_us"};

/// Reads the keys of a kernel. Throws a Misfit.
KernelSpec kernel_in(const Fields& fields, const std::vector<BufferSpec>& buffers);

/// Reads "stages" and their kernels into the pipeline, whose buffers are known. Throws a Misfit.
void read_stages(const boost::json::value& value, Pipeline& pipeline);

inline const std::vector<std::string> buffer_keys{"type",  "count",     "fill",
                                                  "check", "tolerance", "reference"};

/// The most numbers in a pattern.
inline constexpr std::size_t most_pattern = 4096;

/// Reads "buffers". Throws a Misfit.
std::vector<BufferSpec> buffers_in(const boost::json::value& value);

/// Returns the index of the buffer that `value` names. Throws a Misfit if no buffer has that name.
std::uint32_t buffer_in(const boost::json::value& value, const std::vector<BufferSpec>& buffers);

}  // namespace trilane
