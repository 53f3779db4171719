#include "common/application/replay/memory/known_modules.hpp"

#include <algorithm>

namespace trilane {

void KnownModules::loaded(std::uint32_t number, std::span<const std::byte> cubin) {
  std::optional<CubinContents> contents = contents_of_cubin(cubin);
  const std::lock_guard lock(mutex_);
  modules_.erase(number);
  if (contents) modules_[number] = std::make_shared<const CubinContents>(std::move(*contents));
}

void KnownModules::unloaded(std::uint32_t number) {
  const std::lock_guard lock(mutex_);
  modules_.erase(number);
  ++unloads_;
}

std::uint64_t KnownModules::unloads() const {
  const std::lock_guard lock(mutex_);
  return unloads_;
}

std::vector<std::shared_ptr<const CubinContents>> KnownModules::with_kernel(
    const std::string& name) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<const CubinContents>> found;
  for (const auto& [number, contents] : modules_) {
    if (std::ranges::find(contents->functions, name) != contents->functions.end()) {
      found.push_back(contents);
    }
  }
  return found;
}

}  // namespace trilane
