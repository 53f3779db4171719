#include "common/explain/analysis/limits/chunk_loads.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "common/explain/analysis/limits/pipelined.hpp"

namespace trilane {
namespace {

bool is_brief(const Shape& shape) { return shape.times.kernels_us < short_us * shape.depth; }

bool follows_data(const Model& model) {
  return model.chaining == Chaining::data_edges || model.chaining == Chaining::engines;
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

/// Loads of passes that use copy engines chunk by chunk.
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
      case Chaining::recorded_one_wait: break;  // its order does not follow chunks
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

/// Returns the minimum that chunks can take, to bound what they take; null if that is `shape`
/// itself. The overlap of kernels that start early is not measured, so only their arithmetic
/// counts, with all SMs.
std::optional<Shape> least_of(const Shape& shape, const Model& model) {
  const bool early = model.chaining == Chaining::lanes_early;
  if (!shape.crowded && !early) return std::nullopt;
  Shape least = shape;
  if (shape.crowded) least.times = uncrowded(shape.times);
  if (early) {
    const double us = shape.whole.value_or(WholePass{}).arithmetic_us / shape.chunks;
    for (auto time : {&ChunkTimes::kernels_us, &ChunkTimes::steady_work_us,
                      &ChunkTimes::graph_kernels_us, &ChunkTimes::graph_work_us}) {
      least.times.*time = std::min(least.times.*time, us);
    }
  }
  return least;
}

}  // namespace

double lane_chunks(const Shape& shape) {
  const double full = std::floor(shape.chunks), rest = shape.chunks - full;
  const bool rest_on_first = std::fmod(full, shape.lanes) == 0;
  return std::ceil(full / shape.lanes) + (rest_on_first ? rest : 0);
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

}  // namespace trilane
