// Tracks unfinished chains of operations, and which of them has which device memory.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "common/application/pipelines/chunks/chunk_chains.hpp"

namespace trilane {

/// A chain; once merged into another one, only an alias of it.
struct OpenChain {
  std::size_t merged_into;  ///< itself unless merged
  bool replaced = false;    ///< its memory was filled anew: only copies out may still follow
  ChunkChain operations;
  std::set<DevicePlace> set, copied_out;
};

class OpenChains {
 public:
  /// Returns the chain that has the memory now.
  std::optional<std::size_t> owner_of(const DevicePlace& place) const;

  /// Starts a new chain, which takes the memory from its owners.
  std::size_t begin(const std::vector<DevicePlace>& places);

  /// Merges the chains, at least one, and gives them the memory.
  std::size_t join(const std::set<std::size_t>& chains, const std::vector<DevicePlace>& places);

  OpenChain& operator[](std::size_t chain) { return chains_[chain]; }
  const OpenChain& operator[](std::size_t chain) const { return chains_[chain]; }

  /// Returns the chains in the order of their first operations.
  std::vector<ChunkChain> all() const;

 private:
  void merge(std::size_t from, std::size_t into);

  std::vector<OpenChain> chains_;
  std::map<DevicePlace, std::size_t> owners_;
};

}  // namespace trilane
