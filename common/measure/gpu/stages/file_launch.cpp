#include "common/measure/gpu/stages/file_launch.hpp"

#include "common/model/workload/data/elements.hpp"
#include "common/model/workload/pipeline/element.hpp"

namespace trilane {
namespace {

static_assert(most_arguments == KernelLaunch::most_arguments);

dim3 dimensions(const std::uint64_t (&size)[3]) {
  return {static_cast<unsigned>(size[0]), static_cast<unsigned>(size[1]),
          static_cast<unsigned>(size[2])};
}

std::uint64_t address(const std::byte* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

}  // namespace

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
