#include "common/measure/harness/probe.hpp"

#include "common/device/flavour/flavour.hpp"
#include "common/explain/analysis/verdict/loads.hpp"
#include "common/explain/analysis/verdict/pipelined.hpp"
#include "common/measure/gpu/runtime/check.hpp"
#include "common/measure/harness/stage_timer.hpp"
#include "common/model/workload/buffer_layout.hpp"

namespace trilane {
namespace {

/// Returns the arithmetic time of a kernel on the job's first chunk: its time minus that of a
/// single round. A kernel's time is linear in the rounds; if memory limits it at first, it rises
/// less.
double arithmetic_us(StageTimer& timer, std::uint32_t rounds) {
  constexpr std::uint32_t enough = 257;
  const std::uint32_t timed = std::min(rounds, enough);
  if (timed == 1) return 0;
  const double us = std::max(0.0, timer.kernel_us(timed) - timer.kernel_us(1));
  return us / (timed - 1) * (rounds - 1);
}

/// Returns the job as one chunk of at most that many bytes, enough to show the rates of a larger
/// one. Its results may not fit into the host buffer, so only the stages to be timed may run.
Job one_piece(const Job& job, std::uint64_t bytes, std::uint64_t result_bytes) {
  constexpr std::uint64_t enough = 32 << 20;
  Workload workload = job.workload;
  workload.stride.reset();
  workload.pipeline.reset();
  workload.bytes = workload.chunk_bytes = std::min(bytes, enough);
  workload.result_bytes = std::min(workload.bytes, result_bytes);
  workload.lanes = workload.depth = 1;
  return {workload, job.host_in, job.host_out};
}

struct CopyTime {
  double us, link_us;
};

/// Returns the bytes in one copy, and the part of its time that is proportional to them.
CopyTime copy_time(const Job& job, Stage stage, std::uint64_t bytes) {
  if (bytes < word_bytes) return {0, 0};
  const auto timed = [&](const Job& piece) { return StageTimer(piece).alone_us({stage}); };
  const Job large = one_piece(job, bytes, bytes);
  const std::uint64_t large_bytes = large.workload.bytes;
  const Job small =
      one_piece(job, std::max(word_bytes, large_bytes / 8 / word_bytes * word_bytes), bytes);
  const double times = static_cast<double>(bytes) / static_cast<double>(large_bytes);
  const auto difference = static_cast<double>(large_bytes - small.workload.bytes);
  const double us = timed(large);
  const double link_us = difference > 0 ? std::max(0.0, us - timed(small)) / difference *
                                              static_cast<double>(large_bytes)
                                        : 0;
  return {us * times, std::min(us, link_us) * times};
}

/// Returns the arithmetic time of the full chunks' kernels on all lanes; `kernels_us` is a chunk's
/// time there. It can be less than in one piece, because concurrent kernels leave fewer SMs idle.
double chunks_arithmetic_us(const Job& job, double kernels_us) {
  Workload one_round = job.workload;
  one_round.rounds = 1;
  const Job least_work(one_round, job.host_in, job.host_out);
  StageTimer timer(least_work);
  const double us =
      kernels_us - timer.steady_us({Stage::transform}, StageTimer::By::graph) * timer.depth_scale();
  return std::max(0.0, us) * std::floor(exact_chunks(job.workload));
}

/// Returns the arithmetic time of the stages' kernels on the whole pass; `kernels_us` is a chunk's
/// time on all lanes. A kernel with a result for each word gives each thread several words if they
/// are aligned; one with fewer results does not. The fastest way counts, because a variant's chunks
/// may lie anywhere and run concurrently. Nothing is known of a pipeline file's kernels.
double whole_arithmetic_us(const Job& job, double kernels_us) {
  const Workload& workload = job.workload;
  if (workload.pipeline || workload.rounds == 1) return 0;
  double fastest = chunks_arithmetic_us(job, kernels_us) / workload.depth;
  const std::uint64_t fewer = std::max(word_bytes, workload.bytes / 2 / word_bytes * word_bytes);
  for (const std::uint64_t result_bytes :
       {workload.bytes, std::min(workload.result_bytes, fewer)}) {
    const Job piece = one_piece(job, workload.bytes, result_bytes);
    StageTimer timer(piece);
    fastest = std::min(fastest, arithmetic_us(timer, workload.rounds) *
                                    static_cast<double>(workload.bytes) /
                                    static_cast<double>(piece.workload.bytes));
  }
  return fastest * workload.depth;
}

/// Times the whole pass: its copies in one piece, and the arithmetic of its kernels. `kernels_us`
/// is the time of a chunk's kernels in a graph while all lanes are busy. Otherwise like
/// probe_limit().
WholePass probe_whole(const Job& job, double kernels_us) {
  const CopyTime in = copy_time(job, Stage::copy_in, job.workload.bytes / word_bytes * word_bytes);
  const CopyTime out =
      copy_time(job, Stage::copy_out, job.workload.result_total() / word_bytes * word_bytes);
  return {.copy_in_us = in.us,
          .copy_out_us = out.us,
          .link_in_us = in.link_us,
          .link_out_us = out.link_us,
          .arithmetic_us = whole_arithmetic_us(job, kernels_us)};
}

ChunkTimes times_by(StageTimer& timer) {
  constexpr auto graph = StageTimer::By::graph;
  const StageTimer::Duplex duplex = timer.duplex();
  const double scale = timer.depth_scale();
  return {.copy_in_us = timer.alone_us({Stage::copy_in}),
          .clear_us = timer.alone_us({Stage::clear}),
          .kernels_us = timer.alone_us({Stage::transform}) * scale,
          .copy_out_us = timer.alone_us({Stage::copy_out}),
          .one_way_in_us = timer.steady_us({Stage::copy_in}),
          .one_way_out_us = timer.steady_us({Stage::copy_out}),
          .steady_in_us = duplex.in_us,
          .steady_work_us = timer.steady_us({Stage::clear, Stage::transform}) * scale,
          .steady_out_us = duplex.out_us,
          .graph_kernels_us = timer.alone_us({Stage::transform}, graph) * scale,
          .graph_work_us = timer.steady_us({Stage::clear, Stage::transform}, graph) * scale,
          .graph_steady_kernels_us = timer.steady_us({Stage::transform}, graph) * scale};
}

constexpr int readings_of_calls = 7;
constexpr int calls = 64;  // event functions in a row
constexpr double never = std::numeric_limits<double>::infinity();

/// Returns the time of one of many calls in a row, from the fastest of several readings.
template <typename Call>
double each_us(const Stream& stream, Call call) {
  double fastest = never;
  for (int reading = 0; reading < readings_of_calls; ++reading) {
    fastest = std::min(fastest, timed_us([&] {
                         for (int i = 0; i < calls; ++i) call();
                       }));
    check(cudaStreamSynchronize(stream.get()));
  }
  return fastest / calls;
}

void add_events(std::vector<CallCost>& costs) {
  const Stream stream = make_stream();
  const OrderingEvent event;
  costs.push_back({"cudaEventRecord", each_us(stream, [&] { event.record_on(stream.get()); })});
  costs.push_back({"cudaStreamWaitEvent", each_us(stream, [&] { event.wait_on(stream.get()); })});
}

/// Holds a few chunks at once, as lanes do. They are small to save memory.
void add_pool(std::vector<CallCost>& costs, Workload workload) {
  constexpr std::uint64_t small = 4 << 10;
  workload.chunk_bytes = std::min(workload.chunk_bytes, small);
  workload.result_bytes = std::min(workload.result_bytes, small);
  const std::uint32_t held = std::min(workload.lanes, 4u);
  const Stream stream = make_stream();
  PoolScratch scratch(workload, held);
  double allocating = never, freeing = never;
  for (int reading = 0; reading <= readings_of_calls; ++reading) {
    const double allocated = timed_us([&] {
      for (std::uint32_t lane = 0; lane < held; ++lane) scratch.allocate(lane, stream.get());
    });
    const double freed = timed_us([&] {
      for (std::uint32_t lane = 0; lane < held; ++lane) scratch.free(lane, stream.get());
    });
    check(cudaStreamSynchronize(stream.get()));
    if (reading == 0) continue;  // the first reading fills the pool
    allocating = std::min(allocating, allocated);
    freeing = std::min(freeing, freed);
  }
  const std::uint32_t each = held * allocations_per_chunk(layout_of(workload), workload.pool);
  costs.push_back({"cudaMallocFromPoolAsync", allocating / each});
  costs.push_back({"cudaFreeAsync", freeing / each});
}

/// Adds the costs of allocating and freeing the memory of one chunk.
void add_malloc(std::vector<CallCost>& costs, const Workload& workload) {
  double allocating = never, freeing = never;
  for (int reading = 0; reading < readings_of_calls; ++reading) {
    DeviceBuffer memory;
    allocating = std::min(allocating,
                          timed_us([&] { memory = make_device_buffer(workload.scratch_bytes()); }));
    freeing = std::min(freeing, timed_us([&] { memory.reset(); }));
  }
  costs.push_back({"cudaMalloc", allocating});
  costs.push_back({"cudaFree", freeing});
}

/// Returns the costs in microseconds of the calls that issue chunks:
/// - copies (the mean of both directions), memsets and kernels,
/// - recording an event and waiting for it,
/// - cudaMalloc and cudaFree of a chunk's memory on an idle device,
/// - allocating and freeing from a memory pool, if the device has pools.
/// Calls of the other kinds go in a row to streams with room in their queues. The fastest of
/// several readings counts. Throws CudaError.
std::vector<CallCost> call_costs(const Job& job, StageTimer& timer) {
  std::vector<CallCost> costs{
      {"cudaMemcpyAsync", (timer.host_us({Stage::copy_in}) + timer.host_us({Stage::copy_out})) / 2},
      {"cudaMemsetAsync", timer.host_us({Stage::clear})},
      {"cudaLaunchKernel", timer.host_us({Stage::transform})}};
  add_events(costs);
  add_malloc(costs, job.workload);
  if (device_attribute(cudaDevAttrMemoryPoolsSupported) != 0) add_pool(costs, job.workload);
  return costs;
}

/// Returns the lower of both costs for each function.
std::vector<CallCost> lowest(std::vector<CallCost> one, const std::vector<CallCost>& other) {
  for (CallCost& cost : one) {
    const auto found = std::ranges::find(other, cost.name, &CallCost::name);
    if (found != other.end()) cost.us = std::min(cost.us, found->us);
  }
  return one;
}

constexpr std::uint64_t recut_by = 8;
constexpr std::uint64_t small_bytes = 128 << 10;  // up to this size the fixed cost shows

Workload in_chunks_of(Workload workload, std::uint64_t chunk_bytes) {
  // No more results than before, because the host buffer has no room for them. A shorter last chunk
  // may have had fewer.
  const bool as_large = workload.result_bytes == workload.chunk_bytes;
  const std::uint64_t result_bytes =
      as_large ? chunk_bytes : std::min(workload.result_bytes, chunk_bytes);
  std::uint64_t chunks = workload.chunks();
  if (!as_large) chunks = std::min(chunks, workload.result_total() / result_bytes);
  workload.bytes = std::min(workload.bytes, chunks * chunk_bytes);
  workload.chunk_bytes = chunk_bytes;
  workload.result_bytes = result_bytes;
  return workload;
}

OtherCut cut_of(const Workload& workload, const ChunkTimes& measured) {
  return {static_cast<double>(workload.chunk_bytes), static_cast<double>(workload.result_bytes),
          measured};
}

double gbps(double bytes, double us) { return us > 0 ? bytes / us * 1e-3 : 0; }

Limit probe_gpu(const Job& job) {
  StageTimer timer(job);
  const ChunkTimes times = times_by(timer);
  const auto in = static_cast<double>(job.workload.chunk_bytes),
             out = static_cast<double>(job.workload.result_bytes);
  Limit limit{
      .in_gbps = gbps(in, times.one_way_in_us),
      .out_gbps = gbps(out, times.one_way_out_us),
      .duplex_in_gbps = gbps(in, times.steady_in_us),
      .duplex_out_gbps = gbps(out, times.steady_out_us),
      .copy_engines = static_cast<std::uint32_t>(device_attribute(cudaDevAttrAsyncEngineCount)),
      .calls_us = call_costs(job, timer),
      .whole = probe_whole(job, times.graph_steady_kernels_us)};
  set_times(limit, times);
  derive_bounds(limit, exact_chunks(job.workload), crowds_results(job.workload));
  return limit;
}

/// Returns the limit of one GPU's share of a split pass, with the copies of all GPUs at once: links
/// may be shared. Rates are sums over the GPUs. The bound is that of the GPU with most chunks.
Limit probe_all_gpus(const Job& job) try {
  const Job share(share_of_gpu(job.workload), job.host_in, job.host_out, job.kernels);
  Limit limit = probe_gpu(share);
  StageTimer all(job);
  const StageTimer::Duplex duplex = all.duplex();
  const double gpus = std::clamp(std::floor(exact_chunks(job.workload)), 1.0,  // with a full chunk
                                 static_cast<double>(job.workload.gpu_count()));
  const double in_us = all.steady_us({Stage::copy_in}), out_us = all.steady_us({Stage::copy_out});
  const auto in = static_cast<double>(job.workload.chunk_bytes),
             out = static_cast<double>(job.workload.result_bytes);
  limit.in_gbps = gbps(in, in_us);
  limit.out_gbps = gbps(out, out_us);
  limit.duplex_in_gbps = gbps(in, duplex.in_us);
  limit.duplex_out_gbps = gbps(out, duplex.out_us);
  // While these copies take turns over the GPUs, each GPU makes one.
  ChunkTimes times = times_of(limit);
  times.one_way_in_us = gpus * in_us;
  times.one_way_out_us = gpus * out_us;
  times.steady_in_us = gpus * duplex.in_us;
  times.steady_out_us = gpus * duplex.out_us;
  set_times(limit, times);
  derive_bounds(limit, exact_chunks(share.workload), crowds_results(share.workload));
  return limit;
} catch (...) {
  Homes(job.workload).wait();
  throw;
}

}  // namespace

Limit probe_limit(const Job& job) {
  const TimedOnly timed;
  return job.workload.gpus ? probe_all_gpus(job) : probe_gpu(job);
}

Limit fastest(const Limit& one, const Limit& other, const Workload& workload) {
  Limit both = one;
  for (auto rate :
       {&Limit::in_gbps, &Limit::out_gbps, &Limit::duplex_in_gbps, &Limit::duplex_out_gbps}) {
    both.*rate = std::max(one.*rate, other.*rate);
  }
  set_times(both, shorter(times_of(one), times_of(other)));
  if (one.calls_us && other.calls_us) both.calls_us = lowest(*one.calls_us, *other.calls_us);
  if (one.whole && other.whole) both.whole = shorter(*one.whole, *other.whole);
  const Workload share = share_of_gpu(workload);
  derive_bounds(both, exact_chunks(share), crowds_results(share));
  return both;
}

std::uint32_t rounds_for(const Job& job, double kernel_us) {
  constexpr double most = 1e9;
  const TimedOnly timed;
  StageTimer timer(job);
  const auto time_of = [&](double rounds) {
    return timer.kernel_us(static_cast<std::uint32_t>(rounds));
  };
  // Kernel time is linear in the rounds, with a constant part: double the rounds until that part is
  // small, then correct twice along the line.
  double rounds = 64, time = time_of(rounds);
  while (!(time >= kernel_us / 2) && rounds < most / 4) time = time_of(rounds *= 2);
  const double constant = time_of(1);
  for (int i = 0; i < 2; ++i) {
    const double per_round = std::max((time - constant) / rounds, 1e-6);
    rounds = std::clamp(std::round((kernel_us - constant) / per_round), 1.0, most);
    time = time_of(rounds);
  }
  return static_cast<std::uint32_t>(rounds);
}

std::optional<Workload> recut(const Workload& workload) {
  if (workload.pipeline || workload.stride || workload.gpus) return std::nullopt;
  const std::uint64_t larger = recut_by * workload.chunk_bytes;
  if (workload.chunk_bytes <= small_bytes && workload.bytes / larger >= 2 * workload.used_lanes()) {
    return in_chunks_of(workload, larger);
  }
  const std::uint64_t smaller = workload.chunk_bytes / recut_by / word_bytes * word_bytes;
  if (smaller == 0) return std::nullopt;
  return in_chunks_of(workload, smaller);
}

void probe_best_cut(Limit& limit, const Job& job) {
  const std::optional<Workload> other = recut(job.workload);
  if (!other) return;
  const TimedOnly timed;
  const Job other_job(*other, job.host_in, job.host_out);
  StageTimer timer(other_job);
  find_best_cut(limit, cut_of(job.workload, times_of(limit)), cut_of(*other, times_by(timer)),
                static_cast<double>(job.workload.bytes));
}

}  // namespace trilane
