#include "common/measure/gpu/stages.hpp"

#include "common/model/workload/data/contents.hpp"
#include "kernels/transform.hpp"

namespace trilane {
namespace {

KernelLaunch own_launch(const Step& step, const Scratch& scratch) {
  return transform_launch(reinterpret_cast<const std::uint32_t*>(scratch[own_input]),
                          reinterpret_cast<std::uint32_t*>(scratch[own_result]),
                          step.in_bytes / word_bytes, step.out_bytes / word_bytes, step.kernel,
                          step.rounds);
}

static_assert(most_arguments == KernelLaunch::most_arguments);

dim3 dimensions(const std::uint64_t (&size)[3]) {
  return {static_cast<unsigned>(size[0]), static_cast<unsigned>(size[1]),
          static_cast<unsigned>(size[2])};
}

std::uint64_t address(const std::byte* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

}  // namespace

Operation transform(const Step& step, const Scratch& scratch) {
  return Operation(
      step.launch ? step.launch->bind(step.chunk, scratch, scratch) : own_launch(step, scratch),
      {step.chunk, step.lane}, step.early);
}

Operation operation_of(const Step& step, const Scratch& scratch) {
  using Copy = Operation::Copy;
  const Label label{step.chunk, step.lane};
  std::byte* const buffer = scratch[step.buffer];
  switch (step.stage) {
    case Stage::copy_in:
      return Operation(Copy{buffer, step.host_in, step.in_bytes, cudaMemcpyHostToDevice}, label);
    case Stage::clear:
      return Operation(Operation::Clear{buffer, step.out_bytes, step.value}, label);
    case Stage::transform: return transform(step, scratch);
    case Stage::copy_out: break;
  }
  return Operation(Copy{step.host_out, buffer, step.out_bytes, cudaMemcpyDeviceToHost}, label);
}

FileLaunch::FileLaunch(const void* function, const KernelSpec& spec, const Extents::Launch& extents,
                       std::uint64_t items)
    : function_(function),
      grid_(dimensions(extents.grid)),
      block_(dimensions(extents.block)),
      shared_bytes_(static_cast<unsigned>(extents.shared)) {
  for (std::size_t i = 0; i < spec.arguments.size(); ++i) {
    const Argument& argument = spec.arguments[i];
    Slot slot{argument.kind, argument.element, argument.buffer, 0};
    switch (argument.kind) {
      case ArgumentKind::size: slot.bits = bits_of(argument.element, extents.sizes[i]); break;
      case ArgumentKind::chunk_offset: slot.bits = items; break;
      case ArgumentKind::value:
        slot.bits = is_floating(argument.element) ? bits_of(argument.element, argument.value)
                                                  : argument.whole;
        break;
      case ArgumentKind::in:
      case ArgumentKind::out:
      case ArgumentKind::inout:
      case ArgumentKind::chunk_number: break;
    }
    slots_.push_back(slot);
  }
}

KernelLaunch FileLaunch::bind(std::uint32_t chunk, const Scratch& read,
                              const Scratch& written) const {
  std::array<std::uint64_t, most_arguments> values;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    switch (slot.kind) {
      case ArgumentKind::in: values[i] = address(read[slot.buffer]); break;
      case ArgumentKind::out:
      case ArgumentKind::inout: values[i] = address(written[slot.buffer]); break;
      case ArgumentKind::size:
      case ArgumentKind::value: values[i] = slot.bits; break;
      case ArgumentKind::chunk_number:
        values[i] = bits_of(slot.element, std::uint64_t{chunk});
        break;
      case ArgumentKind::chunk_offset: values[i] = bits_of(slot.element, chunk * slot.bits); break;
    }
  }
  return KernelLaunch::of_words(function_, grid_, block_, shared_bytes_,
                                std::span(values).first(slots_.size()));
}

}  // namespace trilane
