#include "common/measure/ask/parts/arrival.hpp"

namespace trilane::pageable_returns {

const Enrolled<Arrival<HostMemory::pageable>> enrolled(
    {.name = "pageable_returns",
     .subject = Subject::copies,
     .text = "Has cudaMemcpyAsync finished with pageable memory when it returns?",
     .claim = "cudaMemcpyAsync of pageable memory is asynchronous, only slower.",
     .meaning = "If so, this is the driver's behaviour, not a guarantee: code that relies on it "
                "breaks when the memory becomes pinned. Wait for the stream all the same.",
     .documentation = "The runtime's reference says that copies of pageable memory may be staged "
                      "and may be synchronous, and leaves open which.",
     .not_modelled = "which copies of pageable memory this driver stages or waits for: it draws "
                     "among all that the documentation permits"});

}  // namespace trilane::pageable_returns
