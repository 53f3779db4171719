#include "common/measure/harness/bench/warm_process.hpp"

#include <exception>

#include "common/measure/gpu/runtime/check.hpp"
#include "common/measure/harness/bench/cuda_bench.hpp"
#include "kernels/launch.hpp"

namespace trilane {

void warm_process(const std::vector<VariantEntry>& variants, bool memory_pools) {
  check(load_kernels());
  warm_variants(variants, memory_pools);
}

void warm_variants(const std::vector<VariantEntry>& variants, bool memory_pools) {
  Workload tiny = presets().front();
  tiny.name = "warm-up";
  tiny.bytes = 2 * tiny.chunk_bytes;
  for (const VariantEntry& entry : variants) {
    if (entry.plan(tiny).needs_pools && !memory_pools) continue;
    try {
      CudaBench bench(tiny, {entry}, 1);
      bench.set_up(0);
      bench.sample(0, 1);
      bench.tear_down(0);
    } catch (const std::exception&) {
      // The same call will fail again where failures are reported.
    }
  }
}

}  // namespace trilane
