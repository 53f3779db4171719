#include "common/measure/gpu/pipeline/loaded_pipeline.hpp"

#include "common/base/text/exit_code.hpp"
#include "common/base/text/words.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/measure/gpu/pipeline/kernel_module.hpp"
#include "common/measure/gpu/runtime/homes.hpp"
#include "common/model/workload/file/pipeline_file.hpp"

namespace trilane {
namespace {

/// Returns the kernel as the simulated device knows it, for chunks of `part` of the full chunk's
/// items.
std::shared_ptr<const void> declared(const Pipeline& pipeline, const KernelSpec& spec,
                                     const Extents& extents, double part) {
  if (spec.time_us == 0) {
    throw UsageError(
        "{}: kernel {}: its time is not known, and a simulated device cannot measure it: add "
        "\"time_us\" to the kernel, or run trilane pipeline measure {} on a GPU",
        pipeline.file, in_quotes(spec.name), pipeline.file);
  }
  DeclaredKernel kernel{.name = spec.name, .time_us = spec.time_us * part};
  for (std::size_t i = 0; i < spec.arguments.size(); ++i) {
    const Argument& argument = spec.arguments[i];
    const auto touches = [&](DeclaredTouch touch) {
      kernel.accesses.push_back({i, extents.bytes[argument.buffer], touch});
    };
    switch (argument.kind) {
      case ArgumentKind::in: touches(DeclaredTouch::reads); break;
      case ArgumentKind::out: touches(DeclaredTouch::writes); break;
      case ArgumentKind::inout: touches(DeclaredTouch::both); break;
      case ArgumentKind::size:
      case ArgumentKind::chunk_number:
      case ArgumentKind::chunk_offset:
      case ArgumentKind::value: break;
    }
  }
  return declare_kernel(kernel);
}

/// The files with kernels, each loaded once.
class Modules {
 public:
  explicit Modules(const Pipeline& pipeline) : pipeline_(pipeline) {
    for (const KernelSpec& kernel : pipeline.kernels) names_[kernel.file].push_back(kernel.name);
    if (pipeline.fused) names_[pipeline.fused->file].push_back(pipeline.fused->name);
  }

  std::shared_ptr<const KernelModule> of(const KernelSpec& kernel) {
    std::shared_ptr<const KernelModule>& module = loaded_[kernel.file];
    if (!module) {
      module =
          std::make_shared<KernelModule>(path_beside(pipeline_, kernel.file), names_[kernel.file]);
    }
    return module;
  }

 private:
  const Pipeline& pipeline_;
  std::map<std::string, std::vector<std::string>> names_;
  std::map<std::string, std::shared_ptr<const KernelModule>> loaded_;
};

/// Returns the function, which lives as long as its module, and may be launched on all homes.
std::shared_ptr<const void> loaded(Modules& modules, const KernelSpec& spec,
                                   const Extents::Launch& sizes, const Homes& homes) {
  const std::shared_ptr<const KernelModule> module = modules.of(spec);
  const KernelModule::Kernel& kernel = module->kernel(spec.name);
  for (std::uint32_t gpu = 0; gpu < homes.count(); ++gpu) {
    homes.enter(gpu);
    prepare_launch(kernel, spec, sizes);
  }
  homes.leave();
  return {module, kernel.function};
}

}  // namespace

LoadedPipeline::LoadedPipeline(const Workload& workload) {
  if (!workload.pipeline) return;
  const Pipeline& pipeline = *workload.pipeline;
  const Extents full = extents_of(pipeline, pipeline.items);
  const Extents last = extents_of(pipeline, pipeline.last_items);
  const double part =
      static_cast<double>(pipeline.last_items) / static_cast<double>(pipeline.items);
  const bool simulated = profile_in_use() != nullptr;
  Modules modules(pipeline);
  const auto launches = [&](const KernelSpec& spec, const Extents::Launch& of_full,
                            const Extents::Launch& of_last) {
    const auto launch = [&](const Extents& extents, const Extents::Launch& sizes, double share) {
      owners_.push_back(simulated ? declared(pipeline, spec, extents, share)
                                  : loaded(modules, spec, sizes, Homes(workload)));
      return std::make_unique<FileLaunch>(owners_.back().get(), spec, sizes, pipeline.items);
    };
    return Launches{launch(full, of_full, 1), launch(last, of_last, part)};
  };
  for (std::size_t i = 0; i < pipeline.kernels.size(); ++i) {
    kernels_.push_back(launches(pipeline.kernels[i], full.kernels[i], last.kernels[i]));
  }
  const bool has_time = pipeline.fused && pipeline.fused->time_us > 0;
  if (has_time || (pipeline.fused && !simulated))
    fused_ = launches(*pipeline.fused, *full.fused, *last.fused);
}

FileKernels LoadedPipeline::kernels() const {
  FileKernels view;
  for (const Launches& launches : kernels_) {
    view.full.push_back(launches.full.get());
    view.last.push_back(launches.last.get());
  }
  view.fused_full = fused_.full.get();
  view.fused_last = fused_.last.get();
  return view;
}

}  // namespace trilane
