#include "common/measure/ask/parts/arrival.hpp"

namespace trilane::copy_returns {

const Enrolled<Arrival<HostMemory::pinned>> enrolled(
    {.name = "copy_returns",
     .subject = Subject::copies,
     .text = "Has cudaMemcpyAsync finished with pinned memory when it returns?",
     .claim = "A small copy is done when cudaMemcpyAsync returns.",
     .meaning = "If not, wait for the stream or an event before the host reads a result or "
                "overwrites parameters. Nothing reports an error otherwise: the data is wrong.",
     .documentation = "The runtime's reference calls these copies asynchronous: the call may "
                      "return before the copy is done."});

}  // namespace trilane::copy_returns
