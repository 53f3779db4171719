#include "common/application/pipelines/chunks/chunk_chains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>

namespace trilane {
namespace {

/// A chain as far as it is known; merged into another one, it is only a name for that one.
struct OpenChain {
  std::size_t merged_into;  ///< itself unless merged
  bool replaced = false;    ///< memory of it was filled anew: only copies out may still follow
  std::vector<std::size_t> operations;
  std::set<DevicePlace> set, copied_out;
};

class ChainFinder {
 public:
  ChainFinder(const ApplicationRecording& recording, const std::vector<ChunkOperation>& operations,
              const MovedPlaces& moved)
      : recording_(recording), operations_(operations), moved_(moved) {}

  std::vector<ChunkChain> chains() {
    for (std::size_t i = 0; i < operations_.size(); ++i) take(i);
    std::vector<ChunkChain> found;
    for (std::size_t i = 0; i < chains_.size(); ++i) {
      if (chains_[i].merged_into != i) continue;
      std::ranges::sort(chains_[i].operations);
      found.push_back(std::move(chains_[i].operations));
    }
    std::ranges::sort(found, {}, [](const ChunkChain& chain) { return chain.front(); });
    return found;
  }

 private:
  void take(std::size_t number) {
    const ChunkOperation& operation = operations_[number];
    std::size_t chain = 0;
    switch (operation.stage) {
      case Stage::copy_in: chain = begun_at(operation.places); break;
      case Stage::clear: chain = of_memset(operation.places.front()); break;
      case Stage::transform: chain = of_kernel(operation); break;
      case Stage::copy_out: chain = of_copy_out(operation); break;
    }
    chains_[chain].operations.push_back(number);
  }

  /// The chain that has the memory now; no_chain if none has.
  std::size_t owner_of(const DevicePlace& place) const {
    const auto found = owners_.find(place);
    if (found == owners_.end()) return no_chain;
    std::size_t chain = found->second;
    while (chains_[chain].merged_into != chain) chain = chains_[chain].merged_into;
    return chain;
  }

  std::size_t begun_at(const std::vector<DevicePlace>& places) {
    for (const DevicePlace& place : places) {
      const std::size_t owner = owner_of(place);
      if (owner != no_chain) chains_[owner].replaced = true;
    }
    chains_.push_back(
        {.merged_into = chains_.size(), .operations = {}, .set = {}, .copied_out = {}});
    for (const DevicePlace& place : places) owners_[place] = chains_.size() - 1;
    return chains_.size() - 1;
  }

  std::size_t of_memset(const DevicePlace& place) {
    std::size_t chain = owner_of(place);
    const bool goes_on = chain != no_chain && !chains_[chain].replaced &&
                         !chains_[chain].set.contains(place) &&
                         !chains_[chain].copied_out.contains(place);
    if (!goes_on) chain = begun_at({place});
    chains_[chain].set.insert(place);
    return chain;
  }

  /// Whether the chain has launched the kernel already, with an argument that points there.
  bool has_launch(std::size_t chain, const ChunkOperation& kernel, const DevicePlace& place) const {
    return std::ranges::any_of(chains_[chain].operations, [&](std::size_t number) {
      const ChunkOperation& other = operations_[number];
      return other.stage == Stage::transform && std::ranges::count(other.places, place) > 0 &&
             recording_.calls[other.call].kernel == recording_.calls[kernel.call].kernel;
    });
  }

  /// Whether the launch is the beginning of the next chunk on the same memory.
  bool begins_again(std::size_t chain, const ChunkOperation& kernel) const {
    return !chains_[chain].copied_out.empty() &&
           std::ranges::all_of(kernel.places, [&](const DevicePlace& place) {
             return has_launch(chain, kernel, place);
           });
  }

  std::set<std::size_t> live_owners(const ChunkOperation& kernel, bool of_moved) const {
    std::set<std::size_t> owners;
    for (const DevicePlace& place : kernel.places) {
      const std::size_t owner = owner_of(place);
      const bool live = owner != no_chain && !chains_[owner].replaced;
      if (live && moved_.contains(place) == of_moved) owners.insert(owner);
    }
    return owners;
  }

  /// Memory that only kernels use joins the kernels of a chunk, but not chunks: a launch like this
  /// one in another chunk shows that they share it.
  void require_not_shared(const ChunkOperation& kernel, const std::set<std::size_t>& owners) const {
    if (owners.size() < 2) return;
    const std::set<std::size_t> sure = live_owners(kernel, true);
    for (std::size_t i = 0; i < kernel.places.size(); ++i) {
      const DevicePlace& place = kernel.places[i];
      const std::size_t owner = owner_of(place);
      if (moved_.contains(place) || owner == no_chain || sure.contains(owner)) continue;
      if (chains_[owner].replaced || !has_launch(owner, kernel, place)) continue;
      refuse_call(recording_, kernel.call,
                  fmt::format("argument {} points to memory that no chunk copies and that several "
                              "chunks use; each chunk of a pipeline file has its own",
                              kernel.parameters[i] + 1));
    }
  }

  std::size_t of_kernel(const ChunkOperation& kernel) {
    std::set<std::size_t> owners = live_owners(kernel, true);
    owners.merge(live_owners(kernel, false));
    const bool moves = std::ranges::any_of(
        kernel.places, [&](const DevicePlace& place) { return moved_.contains(place); });
    if (owners.empty() && !moves) {
      refuse_call(recording_, kernel.call, "no argument points to memory that a chunk copies");
    }
    const bool again =
        std::ranges::any_of(owners, [&](std::size_t owner) { return begins_again(owner, kernel); });
    if (owners.empty() || again) return begun_at(kernel.places);
    require_not_shared(kernel, owners);
    const std::size_t chain = *owners.begin();
    for (const std::size_t other : owners) merge(other, chain);
    for (const DevicePlace& place : kernel.places) owners_[place] = chain;
    return chain;
  }

  void merge(std::size_t from, std::size_t into) {
    if (from == into) return;
    OpenChain& gone = chains_[from];
    OpenChain& stays = chains_[into];
    gone.merged_into = into;
    stays.operations.insert(stays.operations.end(), gone.operations.begin(), gone.operations.end());
    stays.set.merge(gone.set);
    stays.copied_out.merge(gone.copied_out);
  }

  std::size_t of_copy_out(const ChunkOperation& copy) {
    const DevicePlace& place = copy.places.front();
    const std::size_t chain = owner_of(place);
    if (chain == no_chain) {
      refuse_call(recording_, copy.call,
                  "copies out what nothing before it in the iteration has written");
    }
    if (!chains_[chain].copied_out.insert(place).second) {
      refuse_call(recording_, copy.call,
                  "copies out memory for a second time; a pipeline file copies a buffer once");
    }
    return chain;
  }

  static constexpr std::size_t no_chain = static_cast<std::size_t>(-1);
  const ApplicationRecording& recording_;
  const std::vector<ChunkOperation>& operations_;
  const MovedPlaces& moved_;
  std::vector<OpenChain> chains_;
  std::map<DevicePlace, std::size_t> owners_;
};

/// The host's side of a copy.
const UsedRange& host_side(const RecordedCall& call, Stage stage) {
  return *std::ranges::find(call.uses, stage == Stage::copy_in ? Use::reads : Use::writes,
                            &UsedRange::use);
}

/// Host memory that copies have written, as ranges that do not overlap.
class WrittenHostMemory {
 public:
  /// The call that wrote some of the range; none if nothing did.
  std::optional<std::size_t> writer_of(const UsedRange& range) const {
    const auto found = first_in(range);
    return touches(found, range) ? std::optional(found->second.call) : std::nullopt;
  }

  void add(const UsedRange& range, std::size_t call) {
    std::uint64_t begin = range.offset, end = range.offset + range.bytes;
    for (auto old = first_in(range); touches(old, range); old = ranges_.erase(old)) {
      begin = std::min(begin, old->first.offset);
      end = std::max(end, old->second.end);
    }
    ranges_[{range.memory, begin}] = {end, call};
  }

 private:
  struct Written {
    std::uint64_t end = 0;
    std::size_t call = 0;
  };
  using Ranges = std::map<DevicePlace, Written>;  ///< of host memory, by its beginning

  /// The first range that ends behind the beginning of `range`, in its memory or a later one.
  Ranges::const_iterator first_in(const UsedRange& range) const {
    auto found = ranges_.upper_bound({range.memory, range.offset});
    if (found == ranges_.begin()) return found;
    const auto before = std::prev(found);
    const bool reaches = before->first.memory == range.memory && before->second.end > range.offset;
    return reaches ? before : found;
  }
  bool touches(Ranges::const_iterator written, const UsedRange& range) const {
    return written != ranges_.end() && written->first.memory == range.memory &&
           written->first.offset < range.offset + range.bytes;
  }

  Ranges ranges_;
};

/// Chunks of a pipeline depend on each other nowhere, so not by way of the host either.
void require_no_way_by_host(const ApplicationRecording& recording,
                            const std::vector<ChunkOperation>& operations) {
  WrittenHostMemory written;
  for (const ChunkOperation& operation : operations) {
    const RecordedCall& call = recording.calls[operation.call];
    if (operation.stage == Stage::copy_out) {
      written.add(host_side(call, operation.stage), operation.call);
    }
    if (operation.stage != Stage::copy_in) continue;
    const auto writer = written.writer_of(host_side(call, operation.stage));
    if (!writer) continue;
    refuse_call(recording, operation.call,
                fmt::format("copies in what {} copied out; the chunks of a pipeline file are "
                            "independent",
                            words_of_call(recording, *writer)));
  }
}

}  // namespace

std::vector<ChunkChain> chunk_chains(const ApplicationRecording& recording,
                                     const std::vector<ChunkOperation>& operations,
                                     const MovedPlaces& moved) {
  std::vector<ChunkChain> chains = ChainFinder(recording, operations, moved).chains();
  require_no_way_by_host(recording, operations);
  return chains;
}

}  // namespace trilane
