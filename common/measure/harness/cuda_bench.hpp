// The variants of one comparison on a real device, and the input of those in other processes.
#pragma once

#include "common/measure/gpu/operation.hpp"
#include "common/measure/gpu/pipeline/loaded_pipeline.hpp"
#include "common/measure/gpu/runtime/gated_timer.hpp"
#include "common/measure/gpu/runtime/homes.hpp"
#include "common/measure/harness/host_buffers.hpp"
#include "common/measure/harness/pipeline_reference.hpp"
#include "common/measure/harness/pricing.hpp"
#include "common/model/variant/variant.hpp"
#include "common/model/workload/reference.hpp"

namespace trilane {

class CudaBench : public PricedBench {
 public:
  /// Allocates its own host buffers, which all variants share, and draws the first input. Throws
  /// the errors of LoadedPipeline and PipelineReference.
  CudaBench(const Workload& workload, std::vector<VariantEntry> variants, std::uint64_t seed);
  /// Uses these host buffers, which must suffice for the workload and keep their content until
  /// new_input(). The reference draws from `letters` words, see Reference.
  CudaBench(const Workload& workload, std::vector<VariantEntry> variants, std::uint64_t seed,
            std::shared_ptr<HostBuffers> buffers, std::size_t letters = Reference::alphabet_size);

  void new_input() override;
  double set_up(std::size_t variant) override;
  double pass(std::size_t variant) override;
  double pass_by_phase(std::size_t variant) override;
  const std::vector<PhaseTime>& phases() override { return phases_; }
  double host_us() override;
  std::string check(std::size_t variant, std::uint32_t batch) override;
  std::vector<Count> evidence(std::size_t variant) override;
  double tear_down(std::size_t variant) override;
  std::uint64_t free_bytes() override;
  bool lost() override;
  double now() override;

  /// Microseconds between the events around a pass, and from the second one to a third behind a
  /// marker.
  struct EventTimes {
    double pass_us = 0, marker_us = 0;
  };

  /// Enqueues `first`, an event, a pass (if there is a variant), an event, `last`, an event.
  EventTimes pass_between_markers(Operation& first, std::optional<std::size_t> variant,
                                  Operation& last);

  /// Returns the workload on the shared buffers, whose rates hold for this run.
  const Job& job() const { return job_; }

 protected:
  Sample without_events(std::size_t variant, std::uint32_t batch) override;
  double between_events_us(std::size_t variant, std::uint32_t batch) override;

 private:
  /// Runs an action that enters the lanes' GPUs, and leaves them even if it throws. It is part of
  /// timed calls, so it must not allocate.
  template <typename Action>
  void on_gpus(Action action) const try {
    action();
  } catch (...) {
    homes_.wait();
    throw;
  }
  void submit(std::size_t variant, std::uint32_t batch);
  std::string wrong_data() const;
  void collect_hazards(std::size_t variant);

  std::vector<VariantEntry> entries_;
  std::uint64_t seed_;
  std::size_t letters_;
  std::optional<Reference> reference_;  // deferred to the first input, because it takes long
  std::optional<PipelineReference> pipeline_reference_;  // the same for a pipeline file
  std::shared_ptr<HostBuffers> host_;
  LoadedPipeline loaded_;
  Job job_;
  Homes homes_;  // of the lanes; the first one is current between calls
  Stream origin_;
  Event start_, stop_, behind_;
  std::vector<std::unique_ptr<Variant>> variants_;
  std::vector<PhaseTime> phases_;
  std::vector<bool> idle_after_submit_;
  std::vector<std::vector<std::string>> hazards_;  // by variant, until a check reports them
};

/// Lengthens the wall times of the second variant by exactly this share: after each pass the host
/// stays busy. (Within submit the device would hide it.) The same busy time follows other variants,
/// unmeasured, because a device that idles longer is slower afterwards. Submit and device times
/// stay as they are. A share of 0 changes nothing.
class SlowedBench final : public CudaBench {
 public:
  /// Owns the host buffers and draws the first input, as CudaBench does.
  SlowedBench(const Workload& workload, std::vector<VariantEntry> variants, std::uint64_t seed,
              double share)
      : CudaBench(workload, std::move(variants), seed), share_(share) {}

  double pass(std::size_t variant) override { return slowed(variant, CudaBench::pass(variant)); }

 private:
  Sample without_events(std::size_t variant, std::uint32_t batch) override;
  double slowed(std::size_t variant, double wall_us) const;

  double share_;
};

/// Draws input and computes the expected output into memory shared by processes, which must outlive
/// it. Needs the GPU only for a pipeline's own kernels.
class SharedInput {
 public:
  /// The reference draws from `letters` words, see Reference. Throws the errors of CudaBench.
  SharedInput(const Workload& workload, std::uint64_t seed, const SharedHost& host,
              std::size_t letters = Reference::alphabet_size)
      : host_(host) {
    if (!workload.pipeline) {
      reference_.emplace(workload, seed, letters);
      return;
    }
    pipeline_ = std::make_unique<CudaBench>(workload, std::vector<VariantEntry>{}, seed,
                                            std::make_shared<HostBuffers>(host), letters);
  }

  void draw() {
    if (reference_) return reference_->draw(host_.in(), host_.expected());
    pipeline_->new_input();
  }

 private:
  const SharedHost& host_;
  std::optional<Reference> reference_;
  std::unique_ptr<CudaBench> pipeline_;
};

/// Loads the kernels and runs a tiny pass of each of `variants` before anything is timed, so that
/// no variant's set-up includes costs of the process. Without `memory_pools` it skips variants that
/// need them. A pass takes all of `gpus`, if workloads are split over them.
void warm_process(const std::vector<VariantEntry>& variants, bool memory_pools,
                  const GpuList& gpus = {});

/// Does the same, but loads only the kernels that these variants launch, so that the process of one
/// variant resembles a plain program of that variant.
void warm_variants(const std::vector<VariantEntry>& variants, bool memory_pools,
                   const GpuList& gpus = {});

}  // namespace trilane
