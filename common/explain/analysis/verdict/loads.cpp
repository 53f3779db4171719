#include "common/explain/analysis/verdict/loads.hpp"

#include "common/explain/analysis/verdict/pipelined.hpp"

namespace trilane {
namespace {

bool is_brief(const Shape& shape) { return shape.times.kernels_us < short_us * shape.depth; }

bool follows_data(const Model& model) {
  return model.chaining == Chaining::data_edges || model.chaining == Chaining::engines;
}

double lane_chunks(const Shape& shape) {
  const double full = std::floor(shape.chunks), rest = shape.chunks - full;
  const bool rest_on_first = std::fmod(full, shape.lanes) == 0;
  return std::ceil(full / shape.lanes) + (rest_on_first ? rest : 0);
}

/// Returns the time of one more chunk's memset and kernels on all lanes.
double steady_us(const ChunkTimes& t, const Model& model) {
  return launches_graph(model) ? t.graph_work_us : t.steady_work_us;
}

/// Returns their minimum. Short kernels follow each other faster in a graph than on streams. Longer
/// ones share the SMs in a way that depends on when each starts, so the faster time bounds both.
/// Ten reductions side by side on an H200, per chunk: 270 us from a graph, 333 us from streams at
/// once, 285 us in a pass on streams.
double least_steady_us(const Shape& shape, const Model& model) {
  const ChunkTimes& t = shape.times;
  if (is_brief(shape) || t.graph_work_us == 0) return steady_us(t, model);
  return std::min(t.graph_work_us, t.steady_work_us);
}

class ChunkLoads {
 public:
  ChunkLoads(const Shape& shape, const Model& model)
      : shape_(shape),
        t_(shape.times),
        follows_data_(follows_data(model)),
        kernels_us_(launches_graph(model) ? t_.graph_kernels_us : t_.kernels_us),
        hidden_us_(follows_data_ ? shape.lanes * t_.clear_us : 0) {
    const double alone = kernels_us_ + (follows_data_ ? 0 : t_.clear_us);
    Overlap overlap = overlap_of(t_, {alone, steady_us(t_, model), hidden_us_}, shape.chunks);
    const PassPace least{alone, least_steady_us(shape, model), hidden_us_};
    overlap.work.bound_us = overlap_of(t_, least, shape.chunks).work.bound_us;
    add(overlap);
    switch (model.chaining) {
      case Chaining::one_stream: add_turns(); break;
      case Chaining::lanes:
      case Chaining::lanes_early:
      case Chaining::data_edges: add_lane(); break;
      case Chaining::engines:
        add_lane();
        add_kernel_stream();
        break;
      case Chaining::recorded:
      case Chaining::recorded_one_wait:
      case Chaining::recorded_memory: break;  // its order does not follow chunks
    }
  }

  std::vector<Load> take() { return std::move(all_); }

 private:
  void add(Limiter by, const Busy& busy) { all_.push_back({by, busy.us, busy.bound_us}); }

  void add(const Overlap& overlap) {
    add(Limiter::one_chunk, {overlap.chunk_us, overlap.chunk_us});
    if (shape_.chunks == 1) return;
    add(Limiter::copy_in, overlap.copies_in);
    add(Limiter::copy_out, overlap.copies_out);
    add(is_brief(shape_) ? Limiter::kernel_launches : Limiter::sms, overlap.work);
    if (shape_.one_copy_engine) add(Limiter::one_copy_engine, overlap.one_engine);
  }

  void add_turns() {
    const double us = shape_.chunks * (t_.copy_in_us + t_.clear_us + kernels_us_ + t_.copy_out_us);
    add(Limiter::taking_turns, {us, us});
  }

  void add_lane() {
    const double chunks = lane_chunks(shape_);
    if (chunks <= 1) return;
    double us = chunks * (t_.copy_in_us + t_.clear_us + kernels_us_ + t_.copy_out_us);
    if (follows_data_) {
      const double between = std::max(t_.copy_in_us, t_.copy_out_us + t_.clear_us);
      const double full = std::floor(chunks), rest = chunks - full;
      us = t_.copy_in_us + full * kernels_us_ + (full - 1) * between +
           std::max(t_.copy_out_us, rest * (between + kernels_us_ + t_.copy_out_us));
    }
    add(Limiter::lane_stages, {us, us});
  }

  void add_kernel_stream() {
    const double full = std::floor(shape_.chunks), rest = shape_.chunks - full;
    const double us = std::max(kernels_us_, full * (t_.clear_us + kernels_us_) - hidden_us_);
    add(Limiter::kernels_in_turn,
        {us, t_.copy_in_us + us + (rest > 0 ? rest : 1) * t_.copy_out_us});
  }

  const Shape& shape_;
  const ChunkTimes& t_;
  bool follows_data_;
  double kernels_us_, hidden_us_;
  std::vector<Load> all_;
};

/// Returns the bound if stages of a chunk may overlap with each other, as far as their data allows.
double overlapping_bound_us(const Load& load, const ChunkTimes& t) {
  if (load.by == Limiter::one_chunk) {
    return std::max({t.copy_in_us, t.graph_kernels_us, t.copy_out_us});
  }
  return load.by == Limiter::lane_stages ? 0 : std::min(load.us, load.bound_us);
}

/// Returns the minimum that chunks can take, a bound; null if that is `shape` itself. The overlap
/// of kernels that start early is not measured, so only their arithmetic counts, with all SMs.
std::optional<Shape> least_of(const Shape& shape, const Model& model) {
  const bool early = model.chaining == Chaining::lanes_early;
  if (!shape.crowded && !early) return std::nullopt;
  Shape least = shape;
  if (shape.crowded) least.times = uncrowded(shape.times);
  if (early) {
    const double us = shape.whole.arithmetic_us / shape.chunks;
    for (auto time : {&ChunkTimes::kernels_us, &ChunkTimes::steady_work_us,
                      &ChunkTimes::graph_kernels_us, &ChunkTimes::graph_work_us}) {
      least.times.*time = std::min(least.times.*time, us);
    }
  }
  return least;
}

std::vector<Load> chunk_loads(const Shape& shape, const Model& model) {
  std::vector<Load> loads = ChunkLoads(shape, model).take();
  if (!shape.in_turn && follows_data(model)) {
    for (Load& load : loads) load.bound_us = overlapping_bound_us(load, shape.times);
  }
  const std::optional<Shape> least = least_of(shape, model);
  if (!least) return loads;
  // In the same order: the model and the chunks determine which loads there are.
  const std::vector<Load> bounds = ChunkLoads(*least, model).take();
  for (std::size_t i = 0; i < loads.size(); ++i) loads[i].bound_us = bounds[i].bound_us;
  return loads;
}

/// Returns the load of the kernels of all chunks, whatever else is between them. There is no bound
/// if chunks lie outside a lane's memory: there the same kernels took up to a fifth less time on an
/// H200, perhaps because chunks that are not aligned to 16 bytes get a thread for each word.
double kernels_of_lanes_us(const Shape& shape) {
  const ChunkTimes& t = shape.times;
  return std::max(lane_chunks(shape) * t.graph_kernels_us,
                  std::floor(shape.chunks) * t.graph_steady_kernels_us);
}

/// Returns the loads if all copies of a direction are made together, in at least these times.
std::vector<Load> together(const Shape& shape, double in_us, double out_us) {
  const WholePass& whole = shape.whole;
  const double kernels = kernels_of_lanes_us(shape), copies = whole.copy_in_us + whole.copy_out_us;
  return {{Limiter::copies_in_turn, copies + kernels, in_us + out_us + whole.arithmetic_us},
          {Limiter::copy_in, whole.copy_in_us, in_us},
          {Limiter::copy_out, whole.copy_out_us, out_us},
          {Limiter::sms, kernels, whole.arithmetic_us}};
}

Load link_of(const Shape& shape) {
  const double us = std::max(shape.whole.link_in_us, shape.whole.link_out_us);
  return {Limiter::link, us, us};
}

}  // namespace

bool crowds_results(const Workload& workload) {
  constexpr std::uint64_t enough_bytes = 4 << 10, many_additions = 64;
  return !workload.pipeline && workload.result_bytes < enough_bytes &&
         workload.chunk_bytes >= many_additions * workload.result_bytes;
}

Shape shape_of(const Comparison& comparison) {
  const Workload workload = share_of_gpu(comparison.workload);
  const Limit& limit = *comparison.limit;
  return {.times = times_of(limit),
          .chunks = exact_chunks(workload),
          .lanes = workload.used_lanes(),
          .depth = workload.depth,
          .whole = limit.whole.value_or(WholePass{}),
          .one_copy_engine = limit.copy_engines == 1u,
          .crowded = crowds_results(workload),
          .in_turn = !workload.pipeline};
}

std::vector<Load> device_loads(const Shape& shape, const Model& model) {
  const double arithmetic_us = shape.whole.arithmetic_us;
  switch (model.mover) {
    case Mover::engines_per_chunk: return chunk_loads(shape, model);
    case Mover::engines_per_pass:
      return together(shape, shape.whole.copy_in_us, shape.whole.copy_out_us);
    case Mover::engines_batched:
      // The start latency of batches is not measured, but their bytes go over the link.
      return together(shape, shape.whole.link_in_us, shape.whole.link_out_us);
    case Mover::kernels:
      return {link_of(shape), {Limiter::sms, kernels_of_lanes_us(shape), arithmetic_us}};
    case Mover::fused_per_chunk:
    case Mover::fused_per_pass:
      return {link_of(shape), {Limiter::sms, arithmetic_us, arithmetic_us}};
  }
  return {};
}

std::optional<double> host_us(const Limit& limit, const Measurement& m) {
  if (!m.submit) return std::nullopt;
  if (launches_graph(m.plan.model)) {
    return m.plan.blocks ? std::nullopt : std::optional(m.submit->min);
  }
  if (!limit.calls_us) return std::nullopt;
  double us = 0;
  for (const CallCost& cost : *limit.calls_us) {
    us += static_cast<double>(calls_of(m.plan, cost.name)) * cost.us;
  }
  return std::min(us / std::max(1u, m.plan.host_threads), m.submit->min);
}

std::vector<Load> loads_of(const Comparison& comparison, const Measurement& m) {
  std::vector<Load> loads = device_loads(shape_of(comparison), m.plan.model);
  loads.push_back(
      {Limiter::host_submission, m.submit->mean, host_us(*comparison.limit, m).value_or(0)});
  return loads;
}

double kernel_us(const Comparison& comparison) {
  return comparison.limit->kernels_us / comparison.workload.depth;
}

std::optional<Bound> bound_of(const Comparison& comparison, const Measurement& m) {
  if (!comparison.limit || m.status != Status::ok || !m.wall) return std::nullopt;
  const std::vector<Load> loads = loads_of(comparison, m);
  const Load& highest = *std::ranges::max_element(loads, {}, &Load::bound_us);
  if (!(highest.bound_us > 0)) return std::nullopt;
  return Bound{highest.bound_us, highest.by};
}

void find_bounds(Comparison& comparison) {
  std::optional<Limit>& limit = comparison.limit;
  // With short kernels, launching them takes most of the SMs' time.
  if (limit && limit->bound_by == Limiter::sms && kernel_us(comparison) < short_us) {
    limit->bound_by = Limiter::kernel_launches;
  }
  for (Measurement& m : comparison.measurements) {
    m.bound_us = m.efficiency = m.bound_by_rates_us = std::nullopt;
    m.bound_by.reset();
    const std::optional<Bound> bound = bound_of(comparison, m);
    if (!bound) continue;
    m.bound_us = std::min(bound->us, m.wall->min);
    if (bound->us > m.wall->min) m.bound_by_rates_us = bound->us;
    m.bound_by = bound->by;
    m.efficiency = *m.bound_us / m.wall->mean;
  }
}

}  // namespace trilane
