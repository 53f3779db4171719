#include "common/harness/bench/host_buffers.hpp"

#include <algorithm>

namespace trilane {

HostBuffers::HostBuffers(const BufferSizes& sizes, HostMemory kind)
    : in(make_host_buffer(sizes.in, kind)),
      out(make_host_buffer(sizes.out, output_kind(kind))),
      expected(sizes.out) {}

}  // namespace trilane
