#include "common/application/pipelines/chunks/chunk_chains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "common/application/pipelines/chunks/open_chains.hpp"
#include "common/application/pipelines/chunks/refused_call.hpp"
#include "common/application/pipelines/chunks/way_by_host.hpp"

namespace trilane {
namespace {

class ChainFinder {
 public:
  ChainFinder(const ApplicationRecording& recording, const std::vector<ChunkOperation>& operations,
              const MovedPlaces& moved)
      : recording_(recording), operations_(operations), moved_(moved) {}

  std::vector<ChunkChain> chains() {
    for (std::size_t i = 0; i < operations_.size(); ++i) take(i);
    return chains_.all();
  }

 private:
  void take(std::size_t number) {
    const ChunkOperation& operation = operations_[number];
    std::size_t chain = 0;
    switch (operation.stage) {
      case Stage::copy_in: chain = chains_.begin(operation.places); break;
      case Stage::clear: chain = of_memset(operation.places.front()); break;
      case Stage::transform: chain = of_kernel(operation); break;
      case Stage::copy_out: chain = of_copy_out(operation); break;
    }
    chains_[chain].operations.push_back(number);
  }

  std::size_t of_memset(const DevicePlace& place) {
    const auto owner = chains_.owner_of(place);
    const bool goes_on = owner && !chains_[*owner].replaced &&
                         !chains_[*owner].set.contains(place) &&
                         !chains_[*owner].copied_out.contains(place);
    const std::size_t chain = goes_on ? *owner : chains_.begin({place});
    chains_[chain].set.insert(place);
    return chain;
  }

  /// Returns true if the chain has already launched the kernel with an argument that points there.
  bool has_launch(std::size_t chain, const ChunkOperation& kernel, const DevicePlace& place) const {
    return std::ranges::any_of(chains_[chain].operations, [&](std::size_t number) {
      const ChunkOperation& other = operations_[number];
      return other.stage == Stage::transform && std::ranges::count(other.places, place) > 0 &&
             recording_.calls[other.call].kernel == recording_.calls[kernel.call].kernel;
    });
  }

  /// Returns true if the launch begins the next chunk on the same memory.
  bool begins_again(std::size_t chain, const ChunkOperation& kernel) const {
    return !chains_[chain].copied_out.empty() &&
           std::ranges::all_of(kernel.places, [&](const DevicePlace& place) {
             return has_launch(chain, kernel, place);
           });
  }

  std::set<std::size_t> live_owners(const ChunkOperation& kernel, bool of_moved) const {
    std::set<std::size_t> owners;
    for (const DevicePlace& place : kernel.places) {
      const auto owner = chains_.owner_of(place);
      const bool live = owner && !chains_[*owner].replaced;
      if (live && moved_.contains(place) == of_moved) owners.insert(*owner);
    }
    return owners;
  }

  /// Memory that only kernels use joins the kernels of a chunk, but not chunks: a similar launch in
  /// another chunk shows that they share it.
  void require_not_shared(const ChunkOperation& kernel, const std::set<std::size_t>& owners) const {
    if (owners.size() < 2) return;
    const std::set<std::size_t> sure = live_owners(kernel, true);
    for (std::size_t i = 0; i < kernel.places.size(); ++i) {
      const DevicePlace& place = kernel.places[i];
      const auto owner = chains_.owner_of(place);
      if (moved_.contains(place) || !owner || sure.contains(*owner)) continue;
      if (chains_[*owner].replaced || !has_launch(*owner, kernel, place)) continue;
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
    if (owners.empty() || again) return chains_.begin(kernel.places);
    require_not_shared(kernel, owners);
    return chains_.join(owners, kernel.places);
  }

  std::size_t of_copy_out(const ChunkOperation& copy) {
    const DevicePlace& place = copy.places.front();
    const auto chain = chains_.owner_of(place);
    if (!chain) {
      refuse_call(recording_, copy.call,
                  "copies out what nothing before it in the iteration has written");
    }
    if (!chains_[*chain].copied_out.insert(place).second) {
      refuse_call(recording_, copy.call,
                  "copies out memory for a second time; a pipeline file copies a buffer once");
    }
    return *chain;
  }

  const ApplicationRecording& recording_;
  const std::vector<ChunkOperation>& operations_;
  const MovedPlaces& moved_;
  OpenChains chains_;
};

}  // namespace

std::vector<ChunkChain> chunk_chains(const ApplicationRecording& recording,
                                     const std::vector<ChunkOperation>& operations,
                                     const MovedPlaces& moved) {
  std::vector<ChunkChain> chains = ChainFinder(recording, operations, moved).chains();
  require_no_way_by_host(recording, operations);
  return chains;
}

}  // namespace trilane
