#include "common/explain/analysis/verdict/loads.hpp"

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/pipelined.hpp"

namespace trilane {
namespace {

std::string part_of(double us, const Measurement& m) {
  const double wall = m.wall->mean;
  return us < wall ? fmt::format("{} of its {} us", format_us(us), format_us(wall))
                   : fmt::format("all of its {} us", format_us(wall));
}

std::string graphs_and_batches(const Plan& plan, std::uint64_t nodes) {
  const std::uint64_t graphs = calls_of(plan, "cudaGraphLaunch");
  const std::uint64_t batches = calls_of(plan, "cudaMemcpyBatchAsync");
  const std::string launched = graphs <= 1 ? fmt::format("one graph of {} nodes", nodes)
                                           : fmt::format("{} graphs of {} nodes", graphs, nodes);
  if (batches == 0) return launched;
  return fmt::format("{} of copies and {}", counted(batches, "batch"), launched);
}

std::string submitted(const Measurement& m, const Workload& workload) {
  switch (m.plan.model.issuer) {
    case Issuer::graph: return graphs_and_batches(m.plan, graph_nodes_of(m.plan.model, workload));
    case Issuer::host_waiting:
    case Issuer::host:
    case Issuer::host_threads:
    case Issuer::graph_updated:
    case Issuer::graph_set:
    case Issuer::graph_loop: break;
  }
  const std::uint64_t calls = total_calls(m.plan);
  return fmt::format("{} runtime call{}", calls, calls == 1 ? "" : "s");
}

std::string copies(const char* way, std::uint64_t bytes, const Load& load,
                   const std::string& part) {
  return fmt::format("copies {} take {}, at {:.1f} GB/s", way, part,
                     static_cast<double>(bytes) / load.us * 1e-3);
}

const char* work_of(const Model& model) {
  switch (model.mover) {
    case Mover::engines_per_chunk: return "memsets and kernels take";
    case Mover::engines_per_pass:
    case Mover::engines_batched:
    case Mover::kernels: return "the stages' kernels take";
    case Mover::fused_per_chunk:
    case Mover::fused_per_pass: return "the arithmetic of the stages' kernels takes";
  }
  return "";
}

constexpr double most_of_it = 0.5;  // of the wall time

/// A launch and a wait take 10 us and more, which is a large part of a pass shorter than this.
constexpr double short_pass_us = 5 * short_us;

/// Lists all loads for the reader to judge, because none takes most of the time.
Limitation idle(const Comparison& comparison, const std::vector<Load>& loads,
                const Measurement& m) {
  std::vector<std::string> each;
  for (const Load& load : loads) {
    if (!(load.us > 0)) continue;
    each.push_back(
        fmt::format("{}{} {}", name_of(load.by), each.empty() ? " takes" : "", format_us(load.us)));
  }
  const std::string all =
      fmt::format("of its {} us {}", format_us(m.wall->mean), fmt::join(each, ", "));
  const Model& model = m.plan.model;
  if (uses_copy_engines(model)) return {Limiter::waiting, std::nullopt, all};
  if (operations_of(model, comparison.workload).total() == 1 && m.wall->mean < short_pass_us) {
    return {Limiter::launch_and_wait, std::nullopt,
            all + ", and the rest is launch and synchronisation latency"};
  }
  // The stages' kernel times do not apply, because these kernels also move the bytes.
  return {Limiter::own_kernels, std::nullopt, all + ", and its kernels also copy the data"};
}

std::optional<Limitation> blocked(const Comparison& comparison, const Measurement& m) {
  const Workload& workload = comparison.workload;
  switch (m.plan.model.scratch) {
    case ScratchSource::cuda_malloc:
      return Limitation{Limiter::memory_management, std::nullopt,
                        fmt::format("it allocates {} times a pass and waits for the device before "
                                    "each release",
                                    workload.chunks())};
    case ScratchSource::lane:
    case ScratchSource::pass:
    case ScratchSource::pool:
    case ScratchSource::trimmed_pool:
    case ScratchSource::graph_nodes:
    case ScratchSource::recording:
    case ScratchSource::none: break;
  }
  if (!waits_each_time(m.plan.model)) return std::nullopt;
  return Limitation{Limiter::waiting, std::nullopt,
                    fmt::format("the host waits for the device {} times a pass",
                                operations_of(m.plan.model, workload).total())};
}

constexpr double worth_it = 0.9;   // of the wall time
constexpr double explained = 0.8;  // of the wall time, by the bound

/// Returns the predicted time of a pass over its bound. The ratio is near 1 only if nothing else
/// takes almost as long; chunks that share a lane wait, too. With these factors, 203 of 203 pieces
/// of advice on 1,860 random shapes on the simulated device held (tests/advice.py).
double reserve(double chunks, std::uint32_t lanes) { return chunks > lanes ? 1.7 : 1.25; }

/// Returns the host time before the first copy out: breadth-first, the calls for each lane's chunk.
double head_us(const Shape& shape, Order order, double host_us) {
  const double a_chunk = host_us / shape.chunks;
  switch (order) {
    case Order::depth_first: return a_chunk;
    case Order::breadth_first: return a_chunk * shape.lanes;
  }
  return 0;
}

/// Returns true if predictions for such a model proved right: not for one stream per engine,
/// kernels that start early, copy or are fused, and a model that waits for each allocation.
bool is_foreseeable(const Model& model) {
  if (model.mover != Mover::engines_per_chunk) return false;
  if (model.scratch == ScratchSource::cuda_malloc) return false;
  switch (model.chaining) {
    case Chaining::lanes:
    case Chaining::data_edges: return true;
    case Chaining::one_stream:
    case Chaining::lanes_early:
    case Chaining::recorded:
    case Chaining::recorded_one_wait:
    case Chaining::recorded_memory:
    case Chaining::engines: return false;
  }
  return false;
}

double bound_us(const Shape& shape, const Measurement& m, double host) {
  for (const Load& load : device_loads(shape, m.plan.model)) host = std::max(host, load.bound_us);
  return host;
}

bool can_be_cut(const Workload& workload, std::uint32_t chunks) {
  constexpr std::uint64_t word = 4;
  if (chunks == 0) return false;
  const std::uint64_t words = workload.bytes / word;
  const std::uint64_t each = (words + chunks - 1) / chunks;
  return (words + each - 1) / each == chunks;
}

std::vector<std::uint32_t> numbers_of_chunks(const Comparison& comparison) {
  const Workload& workload = comparison.workload;
  std::vector<std::uint32_t> numbers;
  if (!comparison.limit->other || workload.result_bytes != workload.chunk_bytes) return numbers;
  const double own = static_cast<double>(workload.chunk_bytes),
               other = comparison.limit->other->chunk_bytes;
  for (double times : {0.125, 0.25, 0.5, 2.0, 4.0, 8.0}) {
    const auto chunks = static_cast<std::uint32_t>(std::round(workload.chunks() * times));
    const bool measured =
        std::min(own, other) <= own / times && own / times <= std::max(own, other);
    if (measured && can_be_cut(workload, chunks)) numbers.push_back(chunks);
  }
  return numbers;
}

}  // namespace

std::string words_of(const Load& load, const Comparison& comparison, const Measurement& m) {
  const std::string part = part_of(load.us, m);
  const Workload& workload = comparison.workload;
  const char* const work = work_of(m.plan.model);
  switch (load.by) {
    case Limiter::host_submission:
      return fmt::format("submitting {} takes the host {}", submitted(m, workload), part);
    case Limiter::copy_in: return copies("in", workload.bytes, load, part);
    case Limiter::copy_out: return copies("out", workload.result_total(), load, part);
    case Limiter::sms: return fmt::format("{} {}", work, part);
    case Limiter::kernel_launches: return fmt::format("{} {}, started one by one", work, part);
    case Limiter::lane_stages:
      return fmt::format("the stages of a lane's chunks, one after the other, take {}", part);
    case Limiter::kernels_in_turn:
      return fmt::format("memsets and kernels, one after the other on one stream, take {}", part);
    case Limiter::one_chunk:
      return fmt::format("the stages of one chunk, one after the other, take {}", part);
    case Limiter::copies_in_turn:
      return fmt::format("copy in, kernels and copy out, one after the other, take {}", part);
    case Limiter::taking_turns:
      return fmt::format("all stages, one after the other, take {}", part);
    case Limiter::one_copy_engine:
      return fmt::format("copies both ways take {} on the one copy engine", part);
    case Limiter::link:
      return fmt::format("at the rate of the copy engines its bytes take {}", part);
    case Limiter::overlap:
    case Limiter::memory_management:
    case Limiter::waiting:
    case Limiter::launch_and_wait:
    case Limiter::own_kernels: break;  // no loads
  }
  throw std::logic_error("no load: " + std::string(name_of(load.by)));
}

Limitation limitation_of(const Comparison& comparison, const Measurement& m) {
  if (!comparison.limit || m.status != Status::ok || !m.wall || !m.submit) return {};
  if (const auto limitation = blocked(comparison, m)) return *limitation;
  const std::vector<Load> loads = loads_of(comparison, m);
  const Load& longest = *std::ranges::max_element(loads, {}, &Load::us);
  const double share = longest.us / m.wall->mean;
  if (!(share > most_of_it)) return idle(comparison, loads, m);
  return {longest.by, share, words_of(longest, comparison, m)};
}

std::optional<NextStep> next_step(const Comparison& comparison, const Measurement& m) {
  const std::optional<Bound> now = bound_of(comparison, m);
  if (!now || !is_foreseeable(m.plan.model)) return std::nullopt;
  const double wall = m.wall->mean, host = host_us(*comparison.limit, m).value_or(0);
  if (now->us < explained * wall) return std::nullopt;
  const Shape shape = shape_of(comparison);
  const Order order = comparison.workload.order;
  std::optional<NextStep> best;
  const auto consider = [&](Knob knob, std::uint32_t value, const Shape& with, double host_then) {
    // Added lanes may not make chunks independent.
    const std::uint32_t shared = knob == Knob::lanes ? shape.lanes : with.lanes;
    const double head = head_us(with, order, host_then) - head_us(shape, order, host);
    const double us = wall - now->us + reserve(with.chunks, shared) * bound_us(with, m, host_then) +
                      std::max(0.0, head);
    if (us < worth_it * (best ? best->wall_us : wall)) best = {knob, value, us};
  };
  for (std::uint32_t lanes = 1; lanes <= std::min(comparison.workload.chunks(), 32u); lanes *= 2) {
    Shape with = shape;
    with.lanes = lanes;
    consider(Knob::lanes, lanes, with, host);
  }
  const OtherCut own{static_cast<double>(comparison.workload.chunk_bytes),
                     static_cast<double>(comparison.workload.result_bytes), shape.times};
  for (const std::uint32_t chunks : numbers_of_chunks(comparison)) {
    Shape with = shape;
    with.chunks = chunks;
    with.lanes = std::min(comparison.workload.lanes, chunks);
    with.times = times_at(own, *comparison.limit->other,
                          static_cast<double>(comparison.workload.bytes) / chunks);
    consider(Knob::chunks, chunks, with, host * chunks / comparison.workload.chunks());
  }
  return best;
}

std::string words_of(const NextStep& step, const Comparison& comparison, const Measurement& m) {
  const std::string size =
      step.knob == Knob::chunks ? fmt::format("--size {} ", comparison.workload.bytes) : "";
  return fmt::format("{}--{} {}, which should take about {} us or less, instead of {}", size,
                     name_of(step.knob), step.value, format_us(step.wall_us),
                     format_us(m.wall->mean));
}

}  // namespace trilane
