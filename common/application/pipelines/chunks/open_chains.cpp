#include "common/application/pipelines/chunks/open_chains.hpp"

#include <algorithm>

namespace trilane {

std::optional<std::size_t> OpenChains::owner_of(const DevicePlace& place) const {
  const auto found = owners_.find(place);
  if (found == owners_.end()) return std::nullopt;
  std::size_t chain = found->second;
  while (chains_[chain].merged_into != chain) chain = chains_[chain].merged_into;
  return chain;
}

std::size_t OpenChains::begin(const std::vector<DevicePlace>& places) {
  for (const DevicePlace& place : places) {
    if (const auto owner = owner_of(place)) chains_[*owner].replaced = true;
  }
  const std::size_t chain = chains_.size();
  chains_.push_back({.merged_into = chain, .operations = {}, .set = {}, .copied_out = {}});
  for (const DevicePlace& place : places) owners_[place] = chain;
  return chain;
}

std::size_t OpenChains::join(const std::set<std::size_t>& chains,
                             const std::vector<DevicePlace>& places) {
  const std::size_t chain = *chains.begin();
  for (const std::size_t other : chains) merge(other, chain);
  for (const DevicePlace& place : places) owners_[place] = chain;
  return chain;
}

void OpenChains::merge(std::size_t from, std::size_t into) {
  if (from == into) return;
  OpenChain& gone = chains_[from];
  OpenChain& stays = chains_[into];
  gone.merged_into = into;
  stays.operations.insert(stays.operations.end(), gone.operations.begin(), gone.operations.end());
  stays.set.merge(gone.set);
  stays.copied_out.merge(gone.copied_out);
}

std::vector<ChunkChain> OpenChains::all() const {
  std::vector<ChunkChain> found;
  for (std::size_t i = 0; i < chains_.size(); ++i) {
    if (chains_[i].merged_into != i) continue;
    std::ranges::sort(found.emplace_back(chains_[i].operations));
  }
  std::ranges::sort(found, {}, [](const ChunkChain& chain) { return chain.front(); });
  return found;
}

}  // namespace trilane
