#include "common/application/prediction/confirmed_races.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>

#include "common/application/prediction/stand_ins/simulated_operation.hpp"
#include "common/application/prediction/stand_ins/stand_in_streams.hpp"
#include "common/device/declared_kernel.hpp"
#include "common/device/flavour.hpp"

namespace trilane {
namespace {

/// An order does not depend on sizes.
constexpr std::uint64_t few_bytes = 4, piece_bytes = 256;
/// Calls to be issued for all races.
constexpr std::size_t most_calls = 200'000;

std::shared_ptr<const void> make_kernel(bool shares) {
  DeclaredKernel kernel{.name = "kernel", .accesses = {}};
  if (shares) kernel.accesses = {{0, few_bytes, DeclaredTouch::both}};
  return declare_kernel(kernel);
}

/// Bytes of one kind of memory: for each call some of its own, to read and to write, and some that
/// two calls share.
class Bytes {
 public:
  explicit Bytes(std::size_t calls) : calls_(calls) {
    const std::uint64_t all = (2 * calls + 1) * piece_bytes;
    device_ = make_device_buffer(all);
    pinned_ = make_pinned_buffer(all);
    pageable_.resize(all);
    check(cudaMemset(device_.get(), 0, all));
    check(cudaDeviceSynchronize());
  }

  std::byte* own(MemoryKind kind, std::size_t call, Use use) {
    return begin(kind) + (2 * call + (use == Use::writes ? 1 : 0)) * piece_bytes;
  }
  std::byte* shared(MemoryKind kind) { return begin(kind) + 2 * calls_ * piece_bytes; }

 private:
  std::byte* begin(MemoryKind kind) {
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

  std::size_t calls_;
  DeviceBuffer device_;
  PinnedBuffer pinned_;
  std::vector<std::byte> pageable_;
};

class OrderCheck {
 public:
  explicit OrderCheck(const ApplicationRecording& recording)
      : recording_(recording),
        streams_(recording),
        bytes_(recording.calls.size()),
        kernels_{make_kernel(false), make_kernel(true)} {}

  /// Whether the device finds no order between the two operations.
  bool unordered(const RecordedRace& race) {
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

 private:
  /// `side`: of the race, if the call is one of its operations.
  void make(std::size_t i, const RecordedRace& race, const RaceSide* side) {
    const RecordedCall& call = recording_.calls[i];
    if (!is_simulated(call)) return streams_.order(call);
    Operands operands{.bytes = few_bytes, .kernel = kernels_[side == nullptr ? 0 : 1]};
    for (const UsedRange& used : call.uses) {
      const bool shares = side != nullptr && used.use == side->use && used.memory == race.memory;
      const MemoryKind kind = recording_.memory[used.memory].kind;
      std::byte* const at = shares ? bytes_.shared(kind) : bytes_.own(kind, i, used.use);
      if (used.use == Use::reads) {
        operands.from = at;
      } else if (used.use == Use::writes || shares) {
        operands.to = at;
      }
    }
    make_again(recording_, call, operands, streams_.stream(call.stream));
  }

  const ApplicationRecording& recording_;
  StandInStreams streams_;
  Bytes bytes_;
  std::array<std::shared_ptr<const void>, 2> kernels_;  // without and with the shared bytes
};

/// Memory that operations of the simulated device can share.
bool is_shared(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::device:
    case MemoryKind::pool:
    case MemoryKind::module:
    case MemoryKind::pinned: return true;
    case MemoryKind::pageable:
    case MemoryKind::managed:
    case MemoryKind::unknown: return false;
  }
  return false;
}

/// Whether all calls can be issued, and do all that they do to the order.
bool is_known(const RecordedCall& call) {
  const auto has = [&](Use use) {
    return std::ranges::find(call.uses, use, &UsedRange::use) != call.uses.end();
  };
  switch (call.kind) {
    case CallKind::copy: return has(Use::reads) && has(Use::writes) && call.bytes > 0;
    case CallKind::memset: return has(Use::writes) && call.bytes > 0;
    case CallKind::graph_launch:
    case CallKind::host_function:
    case CallKind::other: return false;
    default: return true;
  }
}

}  // namespace

void confirm_races(const ApplicationRecording& recording, std::vector<RecordedRace>& races) {
  if (races.empty() || !std::ranges::all_of(recording.calls, is_known)) return;
  const TimedOnly timed;
  try {
    OrderCheck order(recording);
    std::size_t calls = 0;
    for (RecordedRace& race : races) {
      if (!is_shared(race.memory_kind)) continue;
      calls += recording.calls.size() * (race.next_iteration ? 2 : 1);
      if (calls > most_calls) return;
      race.confirmed = order.unordered(race);
    }
  } catch (const CudaError&) {
    // What the device refuses says nothing about an order.
  }
}

}  // namespace trilane
