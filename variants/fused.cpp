// fused: all stages of all chunks in one kernel.
// Issued by: the host, one launch per pass.
// Scratch memory: none; the sums stay in registers.
// Bytes moved by: the same kernel, from and to mapped host memory.
#include "common/measure/gpu/mapped.hpp"
#include "common/model/variant/lane_plan.hpp"
#include "common/model/variant/variant.hpp"

namespace trilane {
namespace {

class ThisVariant : public Variant {
 public:
  explicit ThisVariant(const Job& job) : job_(job), host_(job) {}

  void submit(cudaStream_t origin) override { fused(job_, host_).enqueue(origin); }

  Facts evidence() const override { return {}; }

 private:
  const Job& job_;
  MappedHost host_;
};

Plan plan(const Workload&) {
  Plan plan;
  plan.model = {.issuer = Issuer::host,
                .chaining = Chaining::one_stream,
                .scratch = ScratchSource::none,
                .mover = Mover::fused_per_pass};
  plan.calls = {{"cudaLaunchKernel", 1}};
  plan.maps_host = true;
  return plan;
}

const Registered<ThisVariant> row("fused", "one kernel for all stages of all chunks", plan);

}  // namespace
}  // namespace trilane
