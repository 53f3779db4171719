// Makes a workload of a single kernel, without a pipeline file.
#pragma once

#include <string>

#include "common/model/workload/workload.hpp"

namespace trilane {

/// Returns "blur.cu:blur" as the pipeline copy in, kernel, copy out, with the number and size of
/// `shape`'s chunks. By its source, the kernel takes an input, an output and the number of their
/// elements; it runs in blocks of 256 threads, a thread per element. Throws UsageError for other
/// kernels, which need a pipeline file.
Pipeline pipeline_of_kernel(const std::string& text, const Workload& shape);

}  // namespace trilane
