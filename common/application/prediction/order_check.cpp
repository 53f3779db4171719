#include "common/application/prediction/order_check.hpp"

#include <cuda_runtime_api.h>

#include "common/application/prediction/ways/simulated_operation.hpp"
#include "common/device/flavour/declared_kernel.hpp"
#include "common/device/flavour/flavour.hpp"

namespace trilane {
namespace {

/// An order does not depend on sizes.
constexpr std::uint64_t few_bytes = 4, piece_bytes = 256;
std::shared_ptr<const void> make_kernel(bool shares) {
  DeclaredKernel kernel{.name = "kernel", .accesses = {}};
  if (shares) kernel.accesses = {{0, few_bytes, DeclaredTouch::both}};
  return declare_kernel(kernel);
}

}  // namespace

OrderCheck::Bytes::Bytes(std::size_t calls) : calls_(calls) {
  const std::uint64_t all = (2 * calls + 1) * piece_bytes;
  device_ = make_device_buffer(all);
  pinned_ = make_pinned_buffer(all);
  pageable_.resize(all);
  check(cudaMemset(device_.get(), 0, all));
  check(cudaDeviceSynchronize());
}

std::byte* OrderCheck::Bytes::own(MemoryKind kind, std::size_t call, Use use) {
  return begin(kind) + (2 * call + (use == Use::writes ? 1 : 0)) * piece_bytes;
}

std::byte* OrderCheck::Bytes::shared(MemoryKind kind) {
  return begin(kind) + 2 * calls_ * piece_bytes;
}

std::byte* OrderCheck::Bytes::begin(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::pinned: return pinned_.get();
    case MemoryKind::pageable: return pageable_.data();
    case MemoryKind::device:
    case MemoryKind::pool:
    case MemoryKind::module:
    case MemoryKind::managed:
    case MemoryKind::unknown: break;
  }
  return device_.get();
}

OrderCheck::OrderCheck(const ApplicationRecording& recording)
    : recording_(recording),
      streams_(recording),
      bytes_(recording.calls.size()),
      kernels_{make_kernel(false), make_kernel(true)} {}

bool OrderCheck::unordered(const RecordedRace& race) {
  check(cudaDeviceSynchronize());
  take_hazards();
  const int last = race.next_iteration ? 1 : 0;
  for (int repetition = 0; repetition <= last; ++repetition) {
    for (std::size_t i = 0; i < recording_.calls.size(); ++i) {
      const bool earlier = repetition == 0 && i == race.earlier.call;
      const bool later = repetition == last && i == race.later.call;
      make(i, race, earlier ? &race.earlier : later ? &race.later : nullptr);
    }
  }
  check(cudaDeviceSynchronize());
  return !take_hazards().empty();
}

/// `side`: the side of the race that the call is, if any.
void OrderCheck::make(std::size_t i, const RecordedRace& race, const RaceSide* side) {
  const RecordedCall& call = recording_.calls[i];
  if (!is_simulated(call)) return streams_.order(call);
  Operands operands{.bytes = few_bytes, .kernel = kernels_[side == nullptr ? 0 : 1]};
  for (const UsedRange& used : call.uses) {
    const bool shares = side != nullptr && used.use == side->use && used.memory == race.memory;
    const MemoryKind kind = recording_.memory[used.memory].kind;
    std::byte* const at = shares ? bytes_.shared(kind) : bytes_.own(kind, i, used.use);
    // The first copy of a batch stands for all, unless another one's memory is shared.
    if (used.use == Use::reads) {
      if (shares || operands.from == nullptr) operands.from = at;
    } else if (used.use == Use::writes || shares) {
      if (shares || operands.to == nullptr) operands.to = at;
    }
  }
  make_again(recording_, call, operands, streams_.stream(call.stream));
}

}  // namespace trilane
