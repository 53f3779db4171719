// Candidates that run an iteration call by call, as the application does.
#include "common/application/iteration/call_kinds.hpp"
#include "common/application/iteration/call_segments.hpp"
#include "common/application/iteration/call_traits.hpp"
#include "common/application/iteration/observed_call.hpp"
#include "common/application/iteration/races.hpp"
#include "common/application/replay/candidates.hpp"
#include "common/application/replay/made_call.hpp"
#include "common/application/replay/replayed_memory.hpp"
#include "common/model/variant/lane_plan.hpp"

namespace trilane {

namespace {

enum class Waits {
  as_recorded,
  once,    ///< for everything
  lagged,  ///< for the iteration before
  word,    ///< for a word that the stream writes behind the iteration
};

/// Iterations of a run with lagged waits; its last wait is for all of its work.
constexpr std::uint32_t lagged_iterations = 8;

struct Changes {
  HostKind host = HostKind::as_recorded;
  bool keeps_pool = false;  ///< pools keep their memory, also in place of cudaMalloc
  Waits waits = Waits::as_recorded;
  bool times = false;  ///< operations, on the device
};

class CallByCall : public Candidate {
 public:
  CallByCall(const Changes& changes, const TakenIteration& taken)
      : Candidate(taken, changes.host),
        waits_as_(changes.waits),
        inherited_(taken.inherited),
        calls_(iteration_.calls()) {
    allocated_.resize(iteration_.allocations().size());
    for (std::uint32_t i = 0; i < iteration_.events(); ++i) {
      events_.push_back(make_own_event(CU_EVENT_DISABLE_TIMING));
    }
    if (changes.keeps_pool) replace_pools();
    TRILANE_DRIVER(cuCtxGetCurrent, &context_);
    for (const ReplayedGraph& graph : iteration_.executables()) {
      CUgraphExec executable = graph.taken->as_it_is;
      if (executable == nullptr) {
        TRILANE_DRIVER(cuGraphInstantiate, &executable, graph.graph, graph.taken->flags);
        own_executables_.emplace_back(executable);
      }
      executables_.push_back(executable);
    }
    if (changes.times) time_operations(taken.recording);
    const auto operation = first_operation();
    if (operation != calls_.end()) stream_ = operation->stream;
    if (waits_as_ == Waits::once) {
      for (ReplayedCall& call : calls_) call.waits = false;
    }
    if (waits_as_ == Waits::lagged) {
      for (OwnEvent& one : done_) one = make_own_event(CU_EVENT_DISABLE_TIMING);
    }
    if (waits_as_ == Waits::word) word_.emplace(sizeof passes_, true, 0);
  }
  ~CallByCall() override { free_from(0); }

  void restart() override {
    for (const HandedMemory& one : iteration_.handed()) {
      if (allocated_[one.to] == 0) {
        ReplayedCall first = calls_[one.call];
        first.allocation = one.to;
        allocate(first);
        TRILANE_DRIVER(cuCtxSynchronize);
      }
      const std::vector<std::byte>& content = inherited_[one.to].content;
      TRILANE_DRIVER(cuMemcpy, allocated_[one.to], reinterpret_cast<CUdeviceptr>(content.data()),
                     content.size());
    }
    TRILANE_DRIVER(cuCtxSynchronize);
  }

  void run(double& issuing_us) override {
    if (timer_) timer_->end_pass();
    free_from(inherited_.size());
    const auto inherits = [&](const HandedMemory& one) { return allocated_[one.to] != 0; };
    if (!std::ranges::all_of(iteration_.handed(), inherits)) restart();
    operations_ = waits_ = 0;
    double now_us = recorder_now_us();
    for (iteration_of_run_ = 0; iteration_of_run_ < iterations(); ++iteration_of_run_) {
      for (ReplayedCall& call : calls_) {
        const double start_us = wait_until(now_us + call.gap_us, now_us);
        make(call);
        now_us = recorder_now_us();
        if (!waits(call)) issuing_us += now_us - start_us;
      }
    }
    for (const HandedMemory& one : iteration_.handed()) {
      allocated_[one.to] = std::exchange(allocated_[one.from], 0);
    }
    if (waits_as_ != Waits::once && waits_as_ != Waits::lagged) return;
    TRILANE_DRIVER(cuCtxSynchronize);
    ++waits_;
  }

  std::uint32_t iterations() const override {
    return waits_as_ == Waits::lagged ? lagged_iterations : 1;
  }

  DeviceLengths lengths() const override { return timer_ ? timer_->lengths() : DeviceLengths(); }

  std::vector<Count> evidence() const override {
    return {{"operations", operations_}, {"host waits", waits_}};
  }

 private:
  std::vector<ReplayedCall>::iterator first_operation() {
    return std::ranges::find_if(calls_, [](const auto& call) { return is_operation(call.kind); });
  }

  /// cudaMalloc and cudaFree become calls in the iteration's only stream: in another stream's
  /// order, memory would be reused before this stream's operations are done with it.
  void replace_pools() {
    const auto operation = first_operation();
    const auto keeping = [&](CUmemoryPool pool) {
      OwnPool& own = pools_[pool];
      if (own == nullptr) own = make_keeping_pool(pool);
      return own.get();
    };
    std::set<std::uint32_t> replaced;
    for (ReplayedCall& call : calls_) {
      if (call.kind == CallKind::allocate) {
        call.pool = keeping(nullptr);
        call.kind = CallKind::allocate_async;
        replaced.insert(call.allocation);
        if (operation != calls_.end()) call.stream = operation->stream;
      } else if (call.kind == CallKind::allocate_async) {
        const CUmemoryPool pool = pool_behind(call.pool);
        if (!keeps_its_memory(pool)) call.pool = keeping(pool);
      }
    }
    for (const HandedMemory& one : iteration_.handed()) {
      if (replaced.contains(one.from)) replaced.insert(one.to);
    }
    for (ReplayedCall& call : calls_) {
      if (call.kind == CallKind::free && replaced.contains(call.allocation)) {
        call.kind = CallKind::free_async;
        if (operation != calls_.end()) call.stream = operation->stream;
      }
    }
  }

  void make(ReplayedCall& call) {
    const auto event = [&] { return events_[call.event].get(); };
    if (waits(call)) {
      if (waits_as_ != Waits::as_recorded) return wait_otherwise();
      ++waits_;
    }
    switch (role_of(call.kind)) {
      case CallRole::work:
        ++operations_;
        settle(call, allocated_);
        return issue(call, [&] { issue_operation(call); });
      case CallRole::record_event: return TRILANE_DRIVER(cuEventRecord, event(), call.stream);
      case CallRole::wait_event: return TRILANE_DRIVER(cuStreamWaitEvent, call.stream, event(), 0);
      case CallRole::synchronize_stream: return TRILANE_DRIVER(cuStreamSynchronize, call.stream);
      case CallRole::synchronize_event: return TRILANE_DRIVER(cuEventSynchronize, event());
      case CallRole::synchronize_context: return TRILANE_DRIVER(cuCtxSynchronize);
      case CallRole::query: return query(call);
      case CallRole::allocation: return allocate(call);
      case CallRole::release: return free(call);
      case CallRole::graph_launch:
        ++operations_;
        return issue(call, [&] {
          TRILANE_DRIVER(cuGraphLaunch, executables_[call.executable], call.stream);
        });
      case CallRole::graph_change: return change_graph(call);
      case CallRole::host_function:
      case CallRole::other: break;
    }
    throw std::logic_error("a call of a kind that no replay repeats");
  }

  void wait_otherwise() {
    switch (waits_as_) {
      case Waits::as_recorded:
      case Waits::once: return;
      case Waits::lagged: {
        TRILANE_DRIVER(cuEventRecord, done_[iteration_of_run_ % 2].get(), stream_);
        if (iteration_of_run_ == 0) return;
        TRILANE_DRIVER(cuEventSynchronize, done_[(iteration_of_run_ - 1) % 2].get());
        break;
      }
      case Waits::word: {
        constexpr int reads_until_asked = 10'000;  // whether the stream has failed
        const std::atomic_ref word(*reinterpret_cast<std::uint32_t*>(word_->data()));
        TRILANE_DRIVER(cuStreamWriteValue32, stream_, reinterpret_cast<CUdeviceptr>(word_->data()),
                       ++passes_, 0);
        for (int i = 1; word.load(std::memory_order_acquire) != passes_; ++i) {
          if (i % reads_until_asked == 0) check_answer(driver().cuStreamQuery(stream_));
        }
        break;
      }
    }
    ++waits_;
  }

  /// Only what returns before the device has done it can be held back.
  void time_operations(const ApplicationRecording& recording) {
    timer_.emplace(calls_.size());
    for (const RecordedCall& call : recording.calls) {
      const HostWait wait = host_wait_of(call, recording);
      may_wait_.push_back(wait != HostWait::nothing || is_pageable(call, recording));
    }
  }

  void issue(const ReplayedCall& call, const std::function<void()>& operation) {
    const auto number = static_cast<std::size_t>(&call - calls_.data());
    if (!timer_ || may_wait_[number]) return operation();
    timer_->time(number, call.stream, operation);
  }

  void allocate(const ReplayedCall& call) {
    CUdeviceptr* const address = &allocated_[call.allocation];
    if (call.kind == CallKind::allocate) {
      TRILANE_DRIVER(cuMemAlloc, address, call.bytes);
    } else if (call.pool != nullptr) {
      TRILANE_DRIVER(cuMemAllocFromPoolAsync, address, call.bytes, call.pool, call.stream);
    } else {
      TRILANE_DRIVER(cuMemAllocAsync, address, call.bytes, call.stream);
    }
  }

  void free(const ReplayedCall& call) {
    if (call.kind == CallKind::free) {
      TRILANE_DRIVER(cuMemFree, allocated_[call.allocation]);
    } else {
      TRILANE_DRIVER(cuMemFreeAsync, allocated_[call.allocation], call.stream);
    }
    allocated_[call.allocation] = 0;
  }

  /// Frees what the iteration keeps, or has not freed after a failed call, from that allocation on.
  void free_from(std::size_t first) {
    const auto rest = std::span(allocated_).subspan(first);
    const bool any = std::ranges::any_of(rest, [](CUdeviceptr address) { return address != 0; });
    // Memory of a pool is freed without a wait for its users.
    if (any) static_cast<void>(driver().cuCtxSynchronize());
    for (CUdeviceptr& address : rest) {
      if (address != 0) static_cast<void>(driver().cuMemFree(address));
      address = 0;
    }
  }

  /// The answer may be "not ready".
  void query(const ReplayedCall& call) {
    const CUresult answer = call.stream == nullptr
                                ? driver().cuEventQuery(events_[call.event].get())
                                : driver().cuStreamQuery(call.stream);
    check_answer(answer);
  }
  static void check_answer(CUresult answer) {
    if (answer != CUDA_ERROR_NOT_READY) check_driver(answer, "query");
  }

  void change_graph(ReplayedCall& call) {
    const CUgraphExec executable = executables_[call.executable];
    if (call.node != nullptr) {
      settle(call, allocated_);
      return set_node(executable, call.node, call, context_);
    }
    CUgraphExecUpdateResultInfo result{};
    TRILANE_DRIVER(cuGraphExecUpdate, executable, call.graph, &result);
  }

  bool waits(const ReplayedCall& call) const {
    return only_waits(call.kind) || (call.kind == CallKind::copy && call.waits);
  }

  const Waits waits_as_;
  CUstream stream_ = nullptr;  // of an operation
  const std::vector<InheritedMemory>& inherited_;
  std::vector<ReplayedCall> calls_;
  std::map<CUmemoryPool, OwnPool> pools_;  // by the application's; null: in place of cudaMalloc
  std::optional<OperationTimer> timer_;
  std::vector<bool> may_wait_;  // by call, for the timer
  std::vector<OwnEvent> events_;
  std::vector<OwnGraphExec> own_executables_;
  std::vector<CUgraphExec> executables_;  // these, or the application's, by number
  CUcontext context_ = nullptr;
  OwnEvent done_[2];  // for lagged waits
  std::optional<OwnHostMemory> word_;
  std::uint32_t passes_ = 0;  // as the word counts them
  std::uint32_t iteration_of_run_ = 0;
  std::uint64_t operations_ = 0, waits_ = 0;  // in the latest run
};

struct OwnIteration {
  TakenIteration own;
};

class JoinedCopies final : OwnIteration, public CallByCall {
 public:
  explicit JoinedCopies(const TakenIteration& taken)
      : OwnIteration{with_joined_copies(taken)}, CallByCall(Changes{}, own) {}
};

std::string why_no_joined(const TakenIteration& taken) {
  if (!taken.inherited.empty()) return "the iteration frees memory of an earlier one";
  const std::vector<std::size_t> first = joined_with(taken.recording);
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] != i) return "";
  }
  return "no copy goes on where the one before ends, on both sides";
}

void expect_calls(const ApplicationRecording& recording, const Changes& changes, Plan& plan) {
  const auto operations = std::ranges::count_if(recording.calls, [](const RecordedCall& call) {
    return traits_of(call.kind).operation.has_value();
  });
  if (changes.keeps_pool) plan.model.scratch = ScratchSource::pool;
  const bool lags = changes.waits == Waits::lagged, once = lags || changes.waits == Waits::once;
  if (once) plan.model.chaining = Chaining::recorded_one_wait;
  const std::uint64_t iterations = lags ? lagged_iterations : 1;
  if (lags) plan.iterations = lagged_iterations;
  expect(plan, {{"operations", iterations * static_cast<std::uint64_t>(operations)},
                {"host waits", once ? iterations : waits_of(recording)}});
}

std::string why_no_pinned(const TakenIteration& taken) {
  const ApplicationRecording& recording = taken.recording;
  return any_call(recording, [&](const RecordedCall& c) { return is_pageable(c, recording); })
             ? ""
             : "no copy uses pageable memory";
}

std::string why_no_pool(const TakenIteration& taken) {
  const std::vector<RecordedCall>& calls = taken.recording.calls;
  if (includes(calls, CallKind::allocate, &RecordedCall::kind)) {
    if (taken.recording.streams.size() <= 1) return {};
    return "the iteration uses several streams, and which of them frees the memory is not known";
  }
  if (!includes(calls, CallKind::allocate_async, &RecordedCall::kind)) {
    return "no device memory is allocated in the iteration";
  }
  const bool kept = std::ranges::all_of(taken.observed.calls, [](const ObservedCall& call) {
    return call.kind != CallKind::allocate_async ||
           keeps_its_memory(pool_behind(reinterpret_cast<CUmemoryPool>(call.pool)));
  });
  return kept ? "its pool already keeps its memory" : "";
}

/// Counts the pairs that race for the iteration's own allocations; nothing if not all were seen.
std::optional<std::uint64_t> races_for_new_memory(const ApplicationRecording& recording) {
  const Races races = races_in(recording, HappensBefore(recording, 2));
  if (races.cut) return std::nullopt;
  std::uint64_t count = 0;
  for (const RecordedRace& race : races.found) {
    if (recording.memory[race.memory].within) count += race.count;
  }
  return count;
}

/// Returns true if only the host's waits keep operations of several streams apart that use the
/// iteration's own allocations. What they find there without the waits may be an invalid index or
/// address, whereas other memory holds what the previous iteration left.
bool needs_its_waits(ApplicationRecording recording) {
  if (recording.streams.size() < 2) return false;
  const auto before = races_for_new_memory(recording);
  for (RecordedCall& call : recording.calls) {
    if (only_waits(call.kind)) call.kind = CallKind::other;
    call.synchronous = false;
  }
  recording.calls.emplace_back().kind = CallKind::synchronize_context;  // the last wait stays
  const auto after = races_for_new_memory(recording);
  return !before || !after || *after > *before;
}

std::string why_no_fewer_waits(const TakenIteration& taken) {
  const ApplicationRecording& recording = taken.recording;
  if (runs_ahead(recording)) return "the loop runs ahead: it waits for earlier work only";
  const auto has_operations = [](const CallSegment& segment) { return !segment.nodes.empty(); };
  if (std::ranges::count_if(segments_of(recording), has_operations) <= 1) {
    return "the iteration waits once";
  }
  if (!needs_its_waits(recording)) return {};
  return "operations of several streams would use memory before its data is ready";
}

std::string why_no_other_wait(const TakenIteration& taken) {
  const ApplicationRecording& recording = taken.recording;
  if (!taken.inherited.empty()) return "the iteration frees memory of an earlier one";
  const auto made = [&](bool (*of_kind)(CallKind)) {
    return std::ranges::count_if(recording.calls, of_kind, &RecordedCall::kind);
  };
  if (made(allocates) != made(frees)) return "the iteration keeps memory that it allocates";
  const auto waits = [&](const RecordedCall& call) {
    return only_waits(call.kind) || host_wait_of(call, recording) != HostWait::nothing;
  };
  const auto last = std::ranges::find_if(recording.calls, waits);
  if (last == recording.calls.end()) return "the host never waits";
  if (last + 1 != recording.calls.end() || !only_waits(last->kind) || !waits_for_all(recording)) {
    return "the iteration does not end with its only wait, for all of its work";
  }
  std::set<std::uint32_t> streams;
  for (const RecordedCall& call : recording.calls) {
    if (is_operation(call.kind)) streams.insert(call.stream);
  }
  return streams.size() == 1 ? "" : "the wait is for several streams";
}

std::string why_no_lag(const TakenIteration& taken) {
  const std::string why = why_next_is_unknown(taken.recording);
  return why.empty() ? why_no_other_wait(taken) : why;
}

std::string why_no_word(const TakenIteration& taken) {
  return driver().cuStreamWriteValue32 == nullptr ? "the driver has no cuStreamWriteValue32"
                                                  : why_no_other_wait(taken);
}

template <Changes changes>
constexpr CandidateRow call_row(ReplayWay way, std::string (*why_not)(const TakenIteration&)) {
  return {.way = way,
          .why_not = why_not,
          .expect = [](const TakenIteration& taken,
                       Plan& plan) { expect_calls(taken.recording, changes, plan); },
          .make = make_as<CallByCall, changes>};
}

constexpr CandidateRow rows_of_calls[] = {
    call_row<Changes{}>(ReplayWay::calls, [](const TakenIteration&) { return std::string(); }),
    call_row<Changes{.host = HostKind::pinned}>(ReplayWay::pinned, why_no_pinned),
    call_row<Changes{.keeps_pool = true}>(ReplayWay::pool, why_no_pool),
    call_row<Changes{.waits = Waits::once}>(ReplayWay::fewer_waits, why_no_fewer_waits),
    call_row<Changes{.waits = Waits::lagged}>(ReplayWay::lagged_wait, why_no_lag),
    call_row<Changes{.waits = Waits::word}>(ReplayWay::word_wait, why_no_word),
    {.way = ReplayWay::joined_copies,
     .why_not = why_no_joined,
     .expect =
         [](const TakenIteration& taken, Plan& plan) {
           expect_calls(with_joined_copies(taken.recording), Changes{}, plan);
         },
     .make = make_as<JoinedCopies>}};

}  // namespace

std::unique_ptr<Candidate> make_timed_calls(const TakenIteration& taken) {
  return make_as<CallByCall, Changes{.times = true}>(taken);
}

std::span<const CandidateRow> call_by_call() { return rows_of_calls; }

}  // namespace trilane
