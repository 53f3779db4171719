#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "common/application/iteration/call_kinds.hpp"
#include "common/application/iteration/clock.hpp"
#include "common/application/replay/application_pools.hpp"
#include "common/application/replay/candidates.hpp"
#include "common/application/replay/made_call.hpp"

namespace trilane {

namespace {

/// Runs an iteration call by call, as the application does.
class CallByCall final : public Candidate {
 public:
  CallByCall(ReplayWay way, const TakenIteration& taken)
      : Candidate(taken, way == ReplayWay::pinned ? HostKind::pinned : HostKind::as_recorded),
        only_last_wait_(way == ReplayWay::fewer_waits),
        calls_(iteration_.calls()),
        allocated_(iteration_.allocations().size()) {
    for (std::uint32_t i = 0; i < iteration_.events(); ++i) {
      events_.push_back(make_own_event(CU_EVENT_DISABLE_TIMING));
    }
    if (way == ReplayWay::pool) replace_pools();
    TRILANE_DRIVER(cuCtxGetCurrent, &context_);
    for (const ReplayedGraph& graph : iteration_.executables()) {
      CUgraphExec executable = nullptr;
      TRILANE_DRIVER(cuGraphInstantiate, &executable, graph.graph, graph.flags);
      executables_.emplace_back(executable);
    }
    if (!only_last_wait_) return;
    for (ReplayedCall& call : calls_) call.waits = false;
  }
  ~CallByCall() override { free_the_rest(); }

  void run(double& issuing_us) override {
    free_the_rest();
    operations_ = waits_ = 0;
    double now_us = recorder_now_us();
    for (ReplayedCall& call : calls_) {
      const double start_us = wait_until(now_us + call.gap_us, now_us);
      make(call);
      now_us = recorder_now_us();
      if (!waits(call)) issuing_us += now_us - start_us;
    }
    if (!only_last_wait_) return;
    TRILANE_DRIVER(cuCtxSynchronize);
    waits_ = 1;
  }

  std::vector<Count> evidence() const override {
    return {{"operations", operations_}, {"host waits", waits_}};
  }

 private:
  /// cudaMalloc and cudaFree become calls in the iteration's only stream: in another stream's
  /// order, memory would be reused before this stream's operations are done with it.
  void replace_pools() {
    const auto operation = std::ranges::find_if(
        calls_, [](const ReplayedCall& call) { return is_operation(call.kind); });
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
      } else if (call.kind == CallKind::free && replaced.contains(call.allocation)) {
        call.kind = CallKind::free_async;
        if (operation != calls_.end()) call.stream = operation->stream;
      }
    }
  }

  void make(ReplayedCall& call) {
    const auto event = [&] { return events_[call.event].get(); };
    if (waits(call)) {
      if (only_last_wait_) return;
      ++waits_;
    }
    switch (role_of(call.kind)) {
      case CallRole::work:
        ++operations_;
        settle(call, allocated_);
        return issue_operation(call);
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
        return TRILANE_DRIVER(cuGraphLaunch, executables_[call.executable].get(), call.stream);
      case CallRole::graph_change: return change_graph(call);
      case CallRole::host_function:
      case CallRole::other: break;
    }
    throw std::logic_error("a call of a kind that no replay repeats");
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

  /// Frees what the iteration keeps, and what it could not free because an earlier call failed.
  void free_the_rest() {
    const bool any =
        std::ranges::any_of(allocated_, [](CUdeviceptr address) { return address != 0; });
    // Memory of a pool is freed without a wait for its users.
    if (any) static_cast<void>(driver().cuCtxSynchronize());
    for (CUdeviceptr& address : allocated_) {
      if (address != 0) static_cast<void>(driver().cuMemFree(address));
      address = 0;
    }
  }

  /// The answer may be "not ready".
  void query(const ReplayedCall& call) {
    const CUresult answer = call.stream == nullptr
                                ? driver().cuEventQuery(events_[call.event].get())
                                : driver().cuStreamQuery(call.stream);
    if (answer != CUDA_ERROR_NOT_READY) check_driver(answer, "query");
  }

  void change_graph(ReplayedCall& call) {
    const CUgraphExec executable = executables_[call.executable].get();
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

  const bool only_last_wait_;  // the host waits once, for everything
  std::vector<ReplayedCall> calls_;
  std::map<CUmemoryPool, OwnPool> pools_;  // by the application's; null: in place of cudaMalloc
  Allocations allocated_;                  // 0: freed
  std::vector<OwnEvent> events_;
  std::vector<OwnGraphExec> executables_;
  CUcontext context_ = nullptr;
  std::uint64_t operations_ = 0, waits_ = 0;  // in the latest run
};

}  // namespace

std::unique_ptr<Candidate> call_by_call(ReplayWay way, const TakenIteration& taken) {
  return std::make_unique<CallByCall>(way, taken);
}

}  // namespace trilane
