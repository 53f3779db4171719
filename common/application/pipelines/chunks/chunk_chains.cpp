#include "common/application/pipelines/chunks/chunks.hpp"

#include <boost/icl/interval_map.hpp>

namespace trilane {
namespace {

/// A chain; once merged into another one, only an alias of it.
struct OpenChain {
  std::size_t merged_into;  ///< itself unless merged
  bool replaced = false;    ///< its memory was filled anew: only copies out may still follow
  ChunkChain operations{};
  std::set<DevicePlace> set{}, copied_out{};
};

/// Unfinished chains of operations, and which of them has which device memory.
class OpenChains {
 public:
  /// Returns the chain that has the memory now.
  std::optional<std::size_t> owner_of(const DevicePlace& place) const {
    const auto found = owners_.find(place);
    if (found == owners_.end()) return std::nullopt;
    std::size_t chain = found->second;
    while (chains_[chain].merged_into != chain) chain = chains_[chain].merged_into;
    return chain;
  }

  /// Starts a new chain, which takes the memory from its owners.
  std::size_t begin(const std::vector<DevicePlace>& places) {
    for (const DevicePlace& place : places) {
      if (const auto owner = owner_of(place)) chains_[*owner].replaced = true;
    }
    const std::size_t chain = chains_.size();
    chains_.push_back({.merged_into = chain});
    for (const DevicePlace& place : places) owners_[place] = chain;
    return chain;
  }

  /// Merges the chains, at least one, and gives them the memory.
  std::size_t join(const std::set<std::size_t>& chains, const std::vector<DevicePlace>& places) {
    const std::size_t chain = *chains.begin();
    for (const std::size_t other : chains) merge(other, chain);
    for (const DevicePlace& place : places) owners_[place] = chain;
    return chain;
  }

  OpenChain& operator[](std::size_t chain) { return chains_[chain]; }
  const OpenChain& operator[](std::size_t chain) const { return chains_[chain]; }

  /// Returns the chains in the order of their first operations.
  std::vector<ChunkChain> all() const {
    std::vector<ChunkChain> found;
    for (std::size_t i = 0; i < chains_.size(); ++i) {
      if (chains_[i].merged_into != i) continue;
      std::ranges::sort(found.emplace_back(chains_[i].operations));
    }
    std::ranges::sort(found, {}, [](const ChunkChain& chain) { return chain.front(); });
    return found;
  }

 private:
  void merge(std::size_t from, std::size_t into) {
    if (from == into) return;
    OpenChain& gone = chains_[from];
    OpenChain& stays = chains_[into];
    gone.merged_into = into;
    stays.operations.insert(stays.operations.end(), gone.operations.begin(), gone.operations.end());
    stays.set.merge(gone.set);
    stays.copied_out.merge(gone.copied_out);
  }

  std::vector<OpenChain> chains_;
  std::map<DevicePlace, std::size_t> owners_;
};

class ChainFinder {
 public:
  explicit ChainFinder(const ChunkOperations& operations) : operations_(operations) {}

  std::vector<ChunkChain> chains() {
    for (std::size_t i = 0; i < operations_.all.size(); ++i) add(i);
    return chains_.all();
  }

 private:
  void add(std::size_t number) {
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
             operations_.call_of(other).kernel == operations_.call_of(kernel).kernel;
    });
  }

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
      if (live && operations_.moved.contains(place) == of_moved) owners.insert(*owner);
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
      if (operations_.moved.contains(place) || !owner || sure.contains(*owner)) continue;
      if (chains_[*owner].replaced || !has_launch(*owner, kernel, place)) continue;
      operations_.refuse(
          kernel, fmt::format("argument {} points to memory that no chunk copies and that several "
                              "chunks use; each chunk of a pipeline file has its own",
                              kernel.parameters[i] + 1));
    }
  }

  std::size_t of_kernel(const ChunkOperation& kernel) {
    std::set<std::size_t> owners = live_owners(kernel, true);
    owners.merge(live_owners(kernel, false));
    const bool moves = std::ranges::any_of(
        kernel.places, [&](const DevicePlace& place) { return operations_.moved.contains(place); });
    if (owners.empty() && !moves) {
      operations_.refuse(kernel, "no argument points to memory that a chunk copies");
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
      operations_.refuse(copy, "copies out what nothing before it in the iteration has written");
    }
    if (!chains_[*chain].copied_out.insert(place).second) {
      operations_.refuse(
          copy, "copies out memory for a second time; a pipeline file copies a buffer once");
    }
    return *chain;
  }

  const ChunkOperations& operations_;
  OpenChains chains_;
};

/// Checks that chunks do not depend on each other through host memory. Throws UsageError that names
/// the first call that copies in what another one has copied out.
void require_no_way_by_host(const ChunkOperations& operations) {
  using Bytes = boost::icl::interval<std::uint64_t>;
  using Writers =
      boost::icl::interval_map<std::uint64_t, std::size_t, boost::icl::partial_enricher>;
  std::map<std::uint32_t, Writers> written;  // by host memory: the call that wrote the bytes last
  for (const ChunkOperation& operation : operations.all) {
    const bool in = operation.stage == Stage::copy_in;
    if (!in && operation.stage != Stage::copy_out) continue;
    const UsedRange& host =
        *first_used(operations.call_of(operation), in ? Use::reads : Use::writes);
    const auto bytes = Bytes::right_open(host.offset, host.offset + host.bytes);
    Writers& writers = written[host.memory];
    if (!in) {
      writers.set({bytes, operation.call});
    } else if (const auto writer = writers.find(bytes); writer != writers.end()) {
      operations.refuse(operation,
                        fmt::format("copies in what {} copied out; the chunks of a pipeline file "
                                    "are independent",
                                    words_of_call(operations.recording, writer->second)));
    }
  }
}

}  // namespace

std::vector<ChunkChain> chunk_chains(const ChunkOperations& operations) {
  std::vector<ChunkChain> chains = ChainFinder(operations).chains();
  require_no_way_by_host(operations);
  return chains;
}

}  // namespace trilane
