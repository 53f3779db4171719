#include "common/harness/bench/host_buffers.hpp"

namespace trilane {

HostBuffers::HostBuffers(std::uint64_t in_bytes, std::uint64_t out_bytes, HostMemory kind)
    : in(make_host_buffer(in_bytes, kind)),
      out(make_host_buffer(out_bytes, output_kind(kind))),
      expected(out_bytes) {}

}  // namespace trilane
