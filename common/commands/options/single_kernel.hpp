// The short way to a workload of one's own: a single kernel.
#pragma once

#include <string>

#include "common/model/workload/workload.hpp"

namespace trilane {

/// "blur.cu:blur" as the pipeline copy in, kernel, copy out, with chunks as many and as large as
/// those of `shape`. The kernel's parameters, as its source has them, are an input, an output and
/// the number of their elements; it runs in blocks of 256 threads, a thread for each element.
/// Throws UsageError for other kernels, which need a pipeline file.
Pipeline pipeline_of_kernel(const std::string& text, const Workload& shape);

}  // namespace trilane
