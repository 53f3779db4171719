#include "common/application/finding/call_store.hpp"

namespace trilane {
namespace {

constexpr std::uint64_t chunk_calls = 1024;
/// Bytes of a graph: for a changed node, and for each node, which may be shared.
constexpr std::uint64_t node_bytes = 512, shared_node_bytes = 16;
constexpr std::uint64_t first_calls = 64'000;

}  // namespace

void CallStore::add(const ObservedCall& call, const MemoryBlock& freed) {
  Chunk& chunk = last_chunk();
  const auto given = call.launch.arguments;
  chunk.entries.emplace_back(call, chunk.arguments.size());
  chunk.arguments.insert(chunk.arguments.end(), given.begin(), given.end());
  const std::uint64_t bytes = given.size() + bytes_of_new(call);
  chunk.bytes += bytes;
  bytes_ += bytes;
  if (freed.bytes > 0) chunk.freed.emplace_back(size_, freed);
  ++size_;
  while (chunks_.size() > 1 && (size_ - first_ > most_ + chunk_calls || bytes_ > most_bytes_)) {
    drop_oldest();
  }
}

/// A graph is counted at its first launch: its versions share unchanged nodes.
std::uint64_t CallStore::bytes_of_new(const ObservedCall& call) {
  std::uint64_t bytes = call.changed ? node_bytes : 0;
  if (call.batch) bytes += sizeof(ObservedBatch::Copy) * call.batch->copies.size();
  if (call.graph && call.graph->number != last_graph_) {
    last_graph_ = call.graph->number;
    bytes += shared_node_bytes * call.graph->nodes.size();
  }
  return bytes;
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
  bytes_ -= std::exchange(chunk->bytes, 0);
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

const ObservedCall& CallStore::peek(std::uint64_t call) const {
  return chunk_of(call).entries[(call - first_) % chunk_calls].call;
}

MemoryBlock CallStore::freed_by(std::uint64_t call) const {
  for (const auto& [number, block] : chunk_of(call).freed) {
    if (number == call) return block;
  }
  return {};
}

SearchWindow::SearchWindow(CallStore& store, std::uint64_t repetitions, bool any_length)
    : store_(store), repetitions_(repetitions), calls_(any_length ? most_calls : first_calls) {
  open();
}

bool SearchWindow::has(std::uint64_t calls) {
  const std::uint64_t needed = std::min(repetitions_ * calls, most_calls);
  const std::uint64_t end = store_.size();
  if (needed > calls_) {
    calls_ = std::min(needed + calls, most_calls);
    since_ = end;
    open();
  }
  const bool kept = end - store_.oldest() >= needed || end - since_ >= needed;
  waits_for_ = kept ? 0 : calls;
  due_from_ = kept ? 0 : end + calls;
  return kept;
}

}  // namespace trilane
