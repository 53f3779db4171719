// Stores the latest calls with their arguments, as many as a search for an iteration needs.
#pragma once

#include "common/application/iteration/memory_map.hpp"

namespace trilane {

/// Keeps the latest calls, numbered from 0, and copies of their argument bytes. Its limits are the
/// number of calls set with keep(), some 300 bytes each, and the bytes of arguments, batches of
/// copies and graphs.
class CallStore {
 public:
  explicit CallStore(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}

  void keep(std::uint64_t calls) { most_ = calls; }
  /// Adds the next call, and what it freed.
  void add(const ObservedCall& call, const MemoryBlock& freed);
  /// Releases all memory; numbers go on.
  void clear();

  std::uint64_t size() const { return size_; }  ///< calls that were added
  std::uint64_t oldest() const { return first_; }
  /// Returns a call in [oldest(), size()). Its arguments lie in the store, valid until the next
  /// add().
  ObservedCall at(std::uint64_t call) const;
  /// Returns the same without a copy; its arguments must not be read.
  const ObservedCall& peek(std::uint64_t call) const;
  /// Returns what the call freed.
  MemoryBlock freed_by(std::uint64_t call) const;

 private:
  struct Entry {
    ObservedCall call;
    std::uint64_t arguments;  ///< offset in the chunk
  };
  struct Chunk {
    std::vector<Entry> entries;
    std::vector<std::byte> arguments;
    std::vector<std::pair<std::uint64_t, MemoryBlock>> freed;  ///< by number of the call
    std::uint64_t bytes = 0;  ///< of arguments, batches and new graphs
  };
  Chunk& last_chunk();
  std::uint64_t bytes_of_new(const ObservedCall& call);
  const Chunk& chunk_of(std::uint64_t call) const;
  void drop_oldest();

  std::uint64_t most_bytes_;
  std::uint64_t most_ = std::uint64_t{1} << 20, size_ = 0, bytes_ = 0;
  std::uint64_t first_ = 0;  ///< number of the first call in chunks_
  std::deque<std::unique_ptr<Chunk>> chunks_;
  std::unique_ptr<Chunk> spare_;
  std::uint64_t last_graph_ = 0;  ///< its number
};

/// Decides how many calls to keep during a search for an iteration: has the store keep the
/// repetitions of a period in time. It keeps few calls at first, because a call that needs new
/// memory costs three times as much, and more once a longer period repeats.
class SearchWindow {
 public:
  static constexpr std::uint64_t most_calls = 600'000;

  /// `any_length`: keeps the full number from the start, because the iteration may be of any
  /// length.
  SearchWindow(CallStore& store, std::uint64_t repetitions, bool any_length);

  /// Begins another search.
  void open() { store_.keep(calls_); }
  /// Returns true if a period may end with the latest call, as far as is known.
  bool is_due() const { return store_.size() >= due_from_; }
  /// Returns true if the store has the repetitions of a period of `calls` calls that ends with the
  /// latest call, or never will have them. Otherwise the period has to repeat the same number of
  /// times again.
  bool has(std::uint64_t calls);
  /// Returns the length of the period that has to repeat again; 0 if none exists.
  std::uint64_t waits_for() const { return waits_for_; }

 private:
  CallStore& store_;
  std::uint64_t repetitions_;
  std::uint64_t calls_;      ///< number of calls kept
  std::uint64_t since_ = 0;  ///< the call since which this number is kept
  std::uint64_t due_from_ = 0;
  std::uint64_t waits_for_ = 0;
};

}  // namespace trilane
