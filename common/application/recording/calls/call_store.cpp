#include "common/application/recording/calls/call_store.hpp"

#include <utility>

namespace trilane {
namespace {

constexpr std::uint64_t chunk_calls = 1024;

}  // namespace

void CallStore::add(const ObservedCall& call, const MemoryBlock& freed) {
  Chunk& chunk = last_chunk();
  const auto given = call.launch.arguments;
  chunk.entries.push_back({call, chunk.arguments.size()});
  chunk.arguments.insert(chunk.arguments.end(), given.begin(), given.end());
  bytes_ += given.size();
  if (freed.bytes > 0) chunk.freed.emplace_back(size_, freed);
  ++size_;
  while (chunks_.size() > 1 && (size_ - first_ > most_ + chunk_calls || bytes_ > most_bytes)) {
    drop_oldest();
  }
}

void CallStore::clear() {
  chunks_.clear();
  spare_ = nullptr;
  first_ = size_;
  bytes_ = 0;
}

CallStore::Chunk& CallStore::last_chunk() {
  if (chunks_.empty() || chunks_.back()->entries.size() == chunk_calls) {
    if (!spare_) spare_ = std::make_unique<Chunk>();
    spare_->entries.reserve(chunk_calls);
    chunks_.push_back(std::exchange(spare_, nullptr));
  }
  return *chunks_.back();
}

void CallStore::drop_oldest() {
  std::unique_ptr<Chunk> chunk = std::move(chunks_.front());
  chunks_.pop_front();
  first_ += chunk->entries.size();
  bytes_ -= chunk->arguments.size();
  chunk->entries.clear();
  chunk->arguments.clear();
  chunk->freed.clear();
  spare_ = std::move(chunk);
}

const CallStore::Chunk& CallStore::chunk_of(std::uint64_t call) const {
  return *chunks_[(call - first_) / chunk_calls];
}

ObservedCall CallStore::at(std::uint64_t call) const {
  const Chunk& chunk = chunk_of(call);
  const Entry& entry = chunk.entries[(call - first_) % chunk_calls];
  ObservedCall found = entry.call;
  found.launch.arguments = {chunk.arguments.data() + entry.arguments,
                            entry.call.launch.arguments.size()};
  return found;
}

MemoryBlock CallStore::freed_by(std::uint64_t call) const {
  for (const auto& [number, block] : chunk_of(call).freed) {
    if (number == call) return block;
  }
  return {};
}

}  // namespace trilane
