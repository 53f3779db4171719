#include "common/measure/harness/cuda_bench.hpp"

#include "common/base/console/interrupt.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/device/flavour/tracer.hpp"
#include "common/measure/harness/nvtx.hpp"
#include "common/model/workload/data/contents.hpp"
#include "kernels/launch.hpp"

namespace trilane {
namespace {

std::string order_text(const std::vector<std::string>& hazards) {
  if (hazards.empty()) return {};
  const std::size_t more = hazards.size() - 1;
  return fmt::format("order: {}{}", hazards.front(),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace

CudaBench::CudaBench(const Workload& workload, std::vector<VariantEntry> variants,
                     std::uint64_t seed)
    : CudaBench(workload, std::move(variants), seed,
                std::make_shared<HostBuffers>(sizes_for(workload), workload.host_memory)) {
  new_input();
}

CudaBench::CudaBench(const Workload& workload, std::vector<VariantEntry> variants,
                     std::uint64_t seed, std::shared_ptr<HostBuffers> buffers, std::size_t letters)
    : entries_(std::move(variants)),
      seed_(seed),
      letters_(letters),
      host_(std::move(buffers)),
      loaded_(workload),
      job_(workload, host_->in.get(), host_->out.get(), loaded_.kernels()),
      homes_(workload),
      origin_(make_stream()),
      start_(make_timing_event()),
      stop_(make_timing_event()),
      behind_(make_timing_event()),
      variants_(entries_.size()),
      idle_after_submit_(entries_.size()),
      hazards_(entries_.size()) {}

void CudaBench::new_input() {
  if (job_.workload.pipeline) {
    if (!pipeline_reference_) {
      pipeline_reference_.emplace(job_.workload, job_.kernels, seed_, host_->in.get());
    }
    return pipeline_reference_->draw(host_->expected.get());
  }
  if (!reference_) reference_.emplace(job_.workload, seed_, letters_);
  reference_->draw(host_->in.get(), host_->expected.get());
}

double CudaBench::set_up(std::size_t variant) {
  const NvtxRange range{"set up " + entries_[variant].name};
  const PhaseLog log;
  const double taken =
      timed_us([&] { on_gpus([&] { variants_[variant] = entries_[variant].make(job_); }); });
  phases_ = log.times();
  collect_hazards(variant);
  return taken;
}

void CudaBench::submit(std::size_t variant, std::uint32_t batch) {
  on_gpus([&] {
    for (std::uint32_t i = 0; i < batch; ++i) {
      if (i > 0) stop_if_interrupted();
      variants_[variant]->submit(origin_.get());
    }
  });
}

double CudaBench::pass(std::size_t variant) {
  stop_if_interrupted();
  const NvtxRange range{entries_[variant].name};
  const TimedOnly timed_only;
  const double taken = timed_us([&] {
    submit(variant, 1);
    trilane::check(cudaStreamSynchronize(origin_.get()));
  });
  collect_hazards(variant);
  return taken;
}

double CudaBench::pass_by_phase(std::size_t variant) {
  const PhaseLog log;
  const double taken = pass(variant);
  phases_ = log.times();
  return taken;
}

Sample CudaBench::without_events(std::size_t variant, std::uint32_t batch) {
  stop_if_interrupted();
  const NvtxRange range{entries_[variant].name}, part{"submit and wall"};
  const TimedOnly timed_only;
  const double start = now();
  submit(variant, batch);
  const double submitted = now();
  trilane::check(cudaStreamSynchronize(origin_.get()));
  const double idle = now();
  collect_hazards(variant);
  return {.submit_us = (submitted - start) / batch, .wall_us = (idle - start) / batch};
}

double CudaBench::between_events_us(std::size_t variant, std::uint32_t batch) {
  stop_if_interrupted();
  const NvtxRange range{entries_[variant].name}, part{"device"};
  const TimedOnly timed_only;
  trilane::check(cudaEventRecord(start_.get(), origin_.get()));
  submit(variant, batch);
  trilane::check(cudaEventRecord(stop_.get(), origin_.get()));
  trilane::check(cudaStreamSynchronize(origin_.get()));
  collect_hazards(variant);
  return elapsed_us(start_, stop_) / batch;
}

CudaBench::EventTimes CudaBench::pass_between_markers(Operation& first,
                                                      std::optional<std::size_t> variant,
                                                      Operation& last) {
  const TimedOnly timed_only;
  first.enqueue(origin_.get());
  trilane::check(cudaEventRecord(start_.get(), origin_.get()));
  if (variant) submit(*variant, 1);
  trilane::check(cudaEventRecord(stop_.get(), origin_.get()));
  last.enqueue(origin_.get());
  {
    const Labelled no_pass(marker_label);
    trilane::check(cudaEventRecord(behind_.get(), origin_.get()));
  }
  trilane::check(cudaStreamSynchronize(origin_.get()));
  if (variant) collect_hazards(*variant);
  const Labelled no_pass(marker_label);
  return {elapsed_us(start_, stop_), elapsed_us(stop_, behind_)};
}

double CudaBench::host_us() { return host_work_us(); }

std::string CudaBench::check(std::size_t variant, std::uint32_t batch) {
  const NvtxRange range{"check " + entries_[variant].name};
  poison(host_->out.get(), job_.layout.out_bytes, host_->expected.get());
  submit(variant, batch);
  const cudaError_t state = cudaStreamQuery(origin_.get());
  if (state != cudaErrorNotReady) trilane::check(state);
  idle_after_submit_[variant] = state == cudaSuccess;
  trilane::check(cudaStreamSynchronize(origin_.get()));
  const std::string wrong = wrong_data();
  collect_hazards(variant);
  const std::string order = order_text(std::exchange(hazards_[variant], {}));
  return wrong + (wrong.empty() || order.empty() ? "" : "; ") + order;
}

/// Returns what is wrong with the output; empty if it is right or was not computed.
std::string CudaBench::wrong_data() const {
  std::byte* const out = host_->out.get();
  const std::byte* const expected = host_->expected.get();
  const Workload& workload = job_.workload;
  const bool computed = !workload.pipeline || profile_in_use() == nullptr;
  if (!computed) return {};
  const bool has_gaps = workload.stride || workload.pipeline;
  const std::uint64_t between = has_gaps ? take_gaps(workload, out, expected) : 0;
  if (between > 0) return fmt::format("wrong data: wrote {} bytes between chunks", between);
  if (workload.pipeline) {
    const auto found = difference(workload, out, expected);
    return found ? in_words(*found, workload, out, expected) : "";
  }
  const std::uint64_t bytes = job_.layout.out_bytes;
  const auto wrong = compare(out, expected, bytes);
  if (!wrong) return {};
  return fmt::format(
      "wrong data: {} of {} words, the first at byte {}: {:#010x} instead of {:#010x}",
      wrong->words, bytes / sizeof(std::uint32_t), wrong->offset, wrong->got, wrong->wanted);
}

/// Collects hazards, also after timed passes: their data is not checked, but a wrong order shows in
/// any pass.
void CudaBench::collect_hazards(std::size_t variant) {
  for (std::string& hazard : take_hazards()) hazards_[variant].push_back(std::move(hazard));
}

std::vector<Count> CudaBench::evidence(std::size_t variant) {
  return together({variants_[variant]->evidence(),
                   {{"idle after submit", idle_after_submit_[variant] ? 1u : 0u}}});
}

double CudaBench::tear_down(std::size_t variant) {
  const NvtxRange range{"tear down " + entries_[variant].name};
  // A variant that failed midway may have left work behind that nothing joins.
  homes_.wait();
  const double taken = timed_us([&] { variants_[variant].reset(); });
  // Otherwise the device keeps the memory of graphs' allocation nodes, which would change the next
  // such variant's set-up and evidence.
  int device = 0;
  if (cudaGetDevice(&device) == cudaSuccess) warn(cudaDeviceGraphMemTrim(device));
  // Failed releases only warn, but a sticky error may come from the variant's own work.
  if (is_lost()) trilane::check(cudaDeviceSynchronize());
  collect_hazards(variant);
  const std::string order = order_text(std::exchange(hazards_[variant], {}));
  if (!order.empty()) throw std::runtime_error(order);  // no later check would report it
  return taken;
}

std::uint64_t CudaBench::free_bytes() {
  std::uint64_t all = 0;
  on_gpus([&] {
    for (std::uint32_t gpu = 0; gpu < homes_.count(); ++gpu) {
      std::size_t free = 0, total = 0;
      homes_.enter(gpu);
      trilane::check(cudaMemGetInfo(&free, &total));
      all += free;
    }
    homes_.leave();
  });
  return all;
}

bool CudaBench::lost() {
  const bool lost = is_lost();
  take_hazards();  // a failed variant's hazards do not count against the next
  return lost;
}

double CudaBench::now() { return now_us(); }

/// Returns the wall time to report, after keeping the host busy for its share.
double SlowedBench::slowed(std::size_t variant, double wall_us) const {
  if (share_ == 0) return wall_us;
  const double busy_us = timed_us([&] { spend_us(share_ * wall_us); });
  return variant == 1 ? wall_us + busy_us : wall_us;
}

Sample SlowedBench::without_events(std::size_t variant, std::uint32_t batch) {
  Sample sample = CudaBench::without_events(variant, batch);
  sample.wall_us = slowed(variant, sample.wall_us * batch) / batch;
  return sample;
}

void warm_process(const std::vector<VariantEntry>& variants, bool memory_pools,
                  const GpuList& gpus) {
  check(load_kernels());
  warm_variants(variants, memory_pools, gpus);
}

void warm_variants(const std::vector<VariantEntry>& variants, bool memory_pools,
                   const GpuList& gpus) {
  Workload tiny = presets().front();
  tiny.name = "warm-up";
  tiny.gpus = gpus;
  tiny.bytes = 2 * tiny.gpu_count() * tiny.chunk_bytes;
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
