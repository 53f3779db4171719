#include "common/application/replay/side_by_side.hpp"

#include "common/application/iteration/call_segments.hpp"
#include "common/application/iteration/call_traits.hpp"
#include "common/application/replay/snapshot.hpp"
#include "common/base/system/process.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"

namespace trilane {

namespace {

std::exception_ptr caught(const auto& work) {
  try {
    work();
  } catch (const std::exception&) {
    return std::current_exception();
  }
  return nullptr;
}

bool is_default(std::uint64_t stream) {
  const auto handle = reinterpret_cast<CUstream>(stream);
  return handle == nullptr || handle == CU_STREAM_LEGACY || handle == CU_STREAM_PER_THREAD;
}

std::pair<unsigned, int> kind_of(CUstream stream) {
  std::pair<unsigned, int> kind;  // flags and priority
  TRILANE_DRIVER(cuStreamGetFlags, stream, &kind.first);
  TRILANE_DRIVER(cuStreamGetPriority, stream, &kind.second);
  return kind;
}

}  // namespace

void require_side_by_side(const TakenIteration& taken, std::uint32_t others,
                          std::uint64_t most_bytes) {
  const ApplicationRecording& recording = taken.recording;
  if (!taken.inherited.empty()) throw NotPossible("the iteration frees memory of an earlier one");
  if (runs_ahead(recording)) throw NotPossible("the loop runs ahead");
  const auto has_graph = [](const RecordedCall& call) {
    const CallRole role = role_of(call.kind);
    return role == CallRole::graph_launch || role == CallRole::graph_change;
  };
  if (any_call(recording, has_graph)) throw NotPossible("the iteration has graphs of its own");
  const std::uint64_t bytes = others * bytes_of(taken.kept);
  if (bytes <= most_bytes) return;
  throw NotPossible(
      fmt::format("memory for each takes {}, and a snapshot may be {}; see --snapshot",
                  format_bytes(bytes), format_bytes(most_bytes)));
}

FreeStreams free_streams(const TakenIteration& taken) {
  CUcontext context = nullptr;
  TRILANE_DRIVER(cuCtxGetCurrent, &context);
  FreeStreams all;
  for (const std::uint64_t stream : taken.streams) {
    if (is_default(stream) || includes(taken.observed.calls, stream, &ObservedCall::stream)) {
      continue;
    }
    CUcontext its_own = nullptr;
    const auto handle = reinterpret_cast<CUstream>(stream);
    TRILANE_DRIVER(cuStreamGetCtx, handle, &its_own);
    if (its_own == context) all.push_back(handle);
  }
  return all;
}

OtherThread::OtherThread(const TakenIteration& taken, FreeStreams& streams)
    : from_(taken.kept),
      map_(taken.kept),
      own_{.recording = taken.recording,
           .observed = {.calls = taken.observed.calls},
           .captured = taken.captured,
           .parameters = taken.parameters,
           .kept = taken.kept} {
  for (ObservedCall& call : own_.observed.calls) {
    call.stream = stream_for(call.stream, streams);
    call.destination = moved(call.destination);
    call.source = moved(call.source);
    if (call.batch) {
      auto batch = std::make_shared<ObservedBatch>(*call.batch);
      for (ObservedBatch::Copy& copy : batch->copies) {
        copy.destination = moved(copy.destination);
        copy.source = moved(copy.source);
      }
      call.batch = std::move(batch);
    }
    const std::span<const std::byte> before = call.launch.arguments;
    if (before.empty()) continue;
    std::byte* const arguments = own_.observed.keep_arguments(call.launch);
    each_word(before, [&](std::size_t at, std::uint64_t word) {
      const std::uint64_t address = moved(word);
      std::memcpy(arguments + at, &address, sizeof address);
    });
  }
}

/// Returns the address in the thread's own memory; any other number stays.
std::uint64_t OtherThread::moved(std::uint64_t address) {
  const MemoryBlock* const block = map_.find(address);
  if (block == nullptr) return address;
  const auto place = std::ranges::find(from_, block->base, &MemoryFacts::base) - from_.begin();
  MemoryFacts& own = own_.kept[static_cast<std::size_t>(place)];
  if (own.base == block->base) {
    own.base = on_device(own.kind) ? device_.emplace_back(own.bytes).address()
                                   : reinterpret_cast<std::uint64_t>(
                                         pinned_.emplace_back(own.bytes, true, own.base).data());
  }
  return own.base + (address - block->base);
}

/// The legacy stream is that of all threads. Another default stream would be a new one.
std::uint64_t OtherThread::stream_for(std::uint64_t stream, FreeStreams& streams) {
  if (reinterpret_cast<CUstream>(stream) == CU_STREAM_PER_THREAD) {
    throw NotPossible("each thread has a default stream of its own");
  }
  if (is_default(stream)) return stream;
  CUstream& own = streams_[stream];
  if (own == nullptr) {
    const auto like = std::ranges::find_if(streams, [&](CUstream other) {
      return kind_of(other) == kind_of(reinterpret_cast<CUstream>(stream));
    });
    if (like == streams.end()) throw NotPossible("the threads have no streams that are alike");
    own = *like;
    streams.erase(like);
  }
  return reinterpret_cast<std::uint64_t>(own);
}

void OtherThread::take_content() const {
  for (std::size_t i = 0; i < from_.size(); ++i) {
    const std::uint64_t to = own_.kept[i].base, from = from_[i].base;
    if (to != from) TRILANE_DRIVER(cuMemcpy, to, from, from_[i].bytes);
  }
  TRILANE_DRIVER(cuCtxSynchronize);
}

ThreadTeam::ThreadTeam(std::size_t others)
    : begin_(static_cast<std::ptrdiff_t>(others) + 1), errors_(others + 1) {
  CUcontext context = nullptr;
  TRILANE_DRIVER(cuCtxGetCurrent, &context);
  const SignalsBlocked blocked;  // in the threads, too
  try {
    while (threads_.size() < others) {
      threads_.emplace_back([this, number = threads_.size() + 1, context] {
        errors_[number] = caught([&] { TRILANE_DRIVER(cuCtxSetCurrent, context); });
        for (begin_.arrive_and_wait(); work_; begin_.arrive_and_wait()) work_as(number);
      });
    }
  } catch (const std::exception&) {  // those that were made end
    static_cast<void>(begin_.arrive(static_cast<std::ptrdiff_t>(others - threads_.size()) + 1));
    throw;
  }
}

ThreadTeam::~ThreadTeam() {
  work_ = nullptr;
  begin_.arrive_and_wait();
}

void ThreadTeam::run(const std::function<void(std::size_t)>& work) {
  work_ = work;
  awake_ = done_ = 0;
  begin_.arrive_and_wait();
  work_as(0);
  while (done_ < errors_.size()) std::this_thread::yield();
  for (std::exception_ptr& error : errors_) {
    if (error) std::rethrow_exception(std::exchange(error, nullptr));
  }
}

/// Waits until all are awake, which takes some longer than others.
void ThreadTeam::work_as(std::size_t number) {
  ++awake_;
  while (awake_ < errors_.size()) std::this_thread::yield();
  if (!errors_[number]) errors_[number] = caught([&] { work_(number); });
  ++done_;
}

}  // namespace trilane
