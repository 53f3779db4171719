#include "common/application/prediction/simulated_prediction.hpp"

#include <cuda_runtime_api.h>

#include "common/application/prediction/ways/ways.hpp"
#include "common/device/flavour/flavour.hpp"

namespace trilane {
namespace {

/// An order does not depend on sizes.
constexpr std::uint64_t few_bytes = 4, piece_bytes = 256;

std::shared_ptr<const void> make_kernel(bool shares) {
  DeclaredKernel kernel{.name = "kernel"};
  if (shares) kernel.accesses = {{0, few_bytes, DeclaredTouch::both}};
  return declare_kernel(kernel);
}

/// Memory of each kind, with bytes for each call to read, to write, and for two calls to share.
class BytesOfCalls {
 public:
  explicit BytesOfCalls(std::size_t calls) : shared_at_(2 * calls * piece_bytes) {
    const std::uint64_t all = shared_at_ + piece_bytes;
    device_ = make_device_buffer(all);
    pinned_ = make_pinned_buffer(all);
    pageable_.resize(all);
    check(cudaMemset(device_.get(), 0, all));
    check(cudaDeviceSynchronize());
  }

  std::byte* own(MemoryKind kind, std::size_t call, Use use) {
    return begin(kind) + (2 * call + (use == Use::writes ? 1 : 0)) * piece_bytes;
  }

  std::byte* shared(MemoryKind kind) { return begin(kind) + shared_at_; }

 private:
  std::byte* begin(MemoryKind kind) {
    if (!on_host(kind)) return device_.get();
    return kind == MemoryKind::pinned ? pinned_.get() : pageable_.data();
  }

  const std::size_t shared_at_;
  DeviceBuffer device_;
  PinnedBuffer pinned_;
  std::vector<std::byte> pageable_;
};

/// Asks the simulated device about the order of two recorded operations. Issues the calls of an
/// iteration with a few bytes each. Each uses its own memory, except that the two operations in
/// question share some. Leaves out allocations, frees, graphs and host functions.
class OrderCheck {
 public:
  /// Throws CudaError, as unordered() does.
  explicit OrderCheck(const ApplicationRecording& recording)
      : recording_(recording),
        streams_(recording),
        bytes_(recording.calls.size()),
        kernels_{make_kernel(false), make_kernel(true)} {}

  /// Returns true if the device finds no order between the two operations of a race, in whatever
  /// order it runs them. Discards all hazards found before.
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
  /// `side`: the side of the race that the call is, if any.
  void make(std::size_t i, const RecordedRace& race, const RaceSide* side) {
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

  const ApplicationRecording& recording_;
  StandInStreams streams_;
  BytesOfCalls bytes_;
  std::array<std::shared_ptr<const void>, 2> kernels_;  // without and with the shared bytes
};

constexpr std::size_t most_calls_twice = 200'000;

/// Returns true if the call can be issued with its whole effect on the order.
bool is_known(const RecordedCall& call) {
  const auto has = [&](Use use) { return first_used(call, use) != nullptr; };
  switch (role_of(call.kind)) {
    case CallRole::work:
      return call.kind == CallKind::kernel || (call.bytes > 0 && has(Use::writes) &&
                                               (call.kind == CallKind::memset || has(Use::reads)));
    case CallRole::graph_launch:
    case CallRole::host_function:
    case CallRole::other: return false;
    case CallRole::record_event:
    case CallRole::wait_event:
    case CallRole::synchronize_stream:
    case CallRole::synchronize_event:
    case CallRole::synchronize_context:
    case CallRole::query:
    case CallRole::allocation:
    case CallRole::release:
    case CallRole::graph_change: return true;
  }
  return false;
}

}  // namespace

void confirm_races(const ApplicationRecording& recording, std::vector<RecordedRace>& races) {
  if (races.empty() || recording.calls.size() > most_calls_twice || !is_ordered_soon(recording))
    return;
  if (!std::ranges::all_of(recording.calls, is_known)) return;
  const TimedOnly timed;
  try {
    OrderCheck order(recording);
    std::size_t calls = 0;
    for (RecordedRace& race : races) {
      // Operations of the simulated device share no other memory.
      const bool shared = on_device(race.memory_kind) || race.memory_kind == MemoryKind::pinned;
      if (!shared) continue;
      calls += recording.calls.size() * (race.next_iteration ? 2 : 1);
      if (calls > most_calls_twice) return;
      race.confirmed = order.unordered(race);
    }
  } catch (const std::runtime_error&) {
    // If the device refuses the calls or lacks memory, that says nothing about an order.
  }
}

}  // namespace trilane
