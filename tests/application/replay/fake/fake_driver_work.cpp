// Memory, streams and the work in them.
#include "tests/application/replay/fake/fake_driver.hpp"

namespace trilane::fake {

namespace {

/// Returns the memory that holds the address; null: none of them.
const std::pair<const std::uint64_t, Memory>* holder(const std::map<std::uint64_t, Memory>& memory,
                                                     std::uint64_t address) {
  const auto next = memory.upper_bound(address);
  if (next == memory.begin()) return nullptr;
  const auto& entry = *std::prev(next);
  return address < entry.first + entry.second.bytes ? &entry : nullptr;
}

/// Device memory must be allocated while an operation runs. Pageable memory is not known.
bool is_there(std::uint64_t address, std::size_t bytes) {
  if (holder(state().released, address) != nullptr) return false;
  const auto* const found = holder(state().memory, address);
  return found == nullptr || address + bytes <= found->first + found->second.bytes;
}

std::byte* bytes_at(std::uint64_t address) { return reinterpret_cast<std::byte*>(address); }

}  // namespace

State& state() {
  static State all;
  return all;
}

Live live() {
  const State& all = state();
  const auto pinned = static_cast<std::size_t>(
      std::ranges::count_if(all.memory, [](const auto& entry) { return entry.second.pinned; }));
  return {all.events.size(), all.graphs.size(),          all.execs.size(),
          all.pools.size(),  all.memory.size() - pinned, pinned};
}

void plant(const std::string& function, std::uint64_t number, CUresult error, bool lost) {
  State& all = state();
  all.fails = function;
  all.fails_at = all.calls[function] + number;
  all.error = error;
  all.lost = lost;
}

CUresult called(const char* function) {
  State& all = state();
  const std::uint64_t number = ++all.calls[function];
  if (std::string_view(function) == "cuGetErrorName") return CUDA_SUCCESS;
  if (all.error == CUDA_SUCCESS) return CUDA_SUCCESS;
  if (all.fails_at == 0) return all.lost ? all.error : CUDA_SUCCESS;  // the call was made
  if (all.fails != function || number != all.fails_at) return CUDA_SUCCESS;
  all.fails_at = 0;
  return all.error;
}

CUstream make_stream(unsigned flags, int priority) {
  auto made = std::make_shared<Stream>();
  made->ordered_with_legacy = (flags & CU_STREAM_NON_BLOCKING) == 0;
  made->priority = priority;
  CUstream handle = nullptr;
  keep(state().streams, std::move(made), &handle);
  return handle;
}

std::shared_ptr<Stream> stream_of(CUstream handle) {
  return handle == nullptr ? state().legacy : state().streams.at(handle);
}

std::shared_ptr<Pool> pool_of(CUmemoryPool handle) {
  const auto found = state().pools.find(handle);
  if (found != state().pools.end()) return found->second;
  const auto& current = state().current;
  return handle == reinterpret_cast<CUmemoryPool>(current.get()) ? current : nullptr;
}

void put(CUstream handle, std::function<CUresult()> run, std::vector<Place> after) {
  const std::shared_ptr<Stream> stream = stream_of(handle);
  if (handle == nullptr) {
    for (const auto& [other, content] : state().streams) {
      if (content->ordered_with_legacy) after.push_back({content, content->issued()});
    }
  } else if (stream->ordered_with_legacy) {
    after.push_back({state().legacy, state().legacy->issued()});
  }
  stream->queue.push_back({++state().put, std::move(run), std::move(after)});
}

CUresult wait_for(const Place& place) {
  CUresult first = CUDA_SUCCESS;
  const auto keep = [&](CUresult result) {
    if (first == CUDA_SUCCESS) first = result;
  };
  while (place.stream != nullptr && place.stream->done < place.count) {
    const Work work = std::move(place.stream->queue.front());
    for (const Place& before : work.after) keep(wait_for(before));
    keep(work.run());
    place.stream->queue.pop_front();
    ++place.stream->done;
  }
  state().current->give_back(state().current->threshold);
  for (const auto& [handle, pool] : state().pools) pool->give_back(pool->threshold);
  return first;
}

CUresult wait_for(CUstream handle) {
  const std::shared_ptr<Stream> stream = stream_of(handle);
  return wait_for({stream, stream->issued()});
}

CUresult wait_for_all() {
  CUresult first = CUDA_SUCCESS;
  std::vector<std::shared_ptr<Stream>> busy{state().legacy};
  for (const auto& [handle, stream] : state().streams) busy.push_back(stream);
  std::erase_if(busy, [](const auto& stream) { return stream->queue.empty(); });
  std::ranges::sort(busy, std::greater(),
                    [](const auto& stream) { return stream->queue.back().number; });
  for (const auto& stream : busy) {
    const CUresult result = wait_for({stream, stream->issued()});
    if (first == CUDA_SUCCESS) first = result;
  }
  return first;
}

bool is_pageable(std::uint64_t address) {
  return holder(state().memory, address) == nullptr && holder(state().released, address) == nullptr;
}

std::function<CUresult()> copied(const CUDA_MEMCPY3D& block) {
  return [block] {
    for (std::size_t i = 0; i < block.Height * block.Depth; ++i) {
      const std::size_t slice = i / block.Height, row = i % block.Height;
      const std::uint64_t from = block.srcDevice + (slice * block.srcHeight + row) * block.srcPitch;
      const std::uint64_t to = block.dstDevice + (slice * block.dstHeight + row) * block.dstPitch;
      if (!is_there(from, block.WidthInBytes) || !is_there(to, block.WidthInBytes)) {
        return CUDA_ERROR_ILLEGAL_ADDRESS;
      }
      std::memmove(bytes_at(to), bytes_at(from), block.WidthInBytes);
    }
    return CUDA_SUCCESS;
  };
}

std::function<CUresult()> set(const CUDA_MEMSET_NODE_PARAMS& memset) {
  return [memset] {
    for (std::size_t row = 0; row < memset.height; ++row) {
      const std::uint64_t to = memset.dst + row * memset.pitch;
      if (!is_there(to, memset.width * memset.elementSize)) return CUDA_ERROR_ILLEGAL_ADDRESS;
      for (std::size_t i = 0; i < memset.width; ++i) {
        std::memcpy(bytes_at(to) + i * memset.elementSize, &memset.value, memset.elementSize);
      }
    }
    return CUDA_SUCCESS;
  };
}

std::function<CUresult()> launched(const void* function, void** parameters) {
  const auto address = reinterpret_cast<std::uint64_t>(function) & ~std::uint64_t{1};
  const Kernel& kernel = *reinterpret_cast<const Kernel*>(address);
  Kernel::Words words(kernel.parameters);
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::memcpy(&words[i], parameters[i], sizeof words[i]);
  }
  return [body = kernel.body, words] {
    body(words);
    return CUDA_SUCCESS;
  };
}

}  // namespace trilane::fake
