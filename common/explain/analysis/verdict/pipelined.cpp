#include "common/explain/analysis/verdict/pipelined.hpp"

#include <boost/mp11/algorithm.hpp>

#include "common/model/workload/knobs.hpp"

namespace trilane {
namespace {

/// Calls act(member) with the description of each member.
template <typename Record, typename Act>
void for_each_figure(Act act) {
  using Members = boost::describe::describe_members<Record, boost::describe::mod_public>;
  boost::mp11::mp_for_each<Members>(act);
}

/// Calls act(figure, time) for each time of a chunk, with the limit's figure of that name.
template <typename OfLimit, typename OfChunk, typename Act>
void for_each_time(OfLimit& limit, OfChunk& times, Act act) {
  for_each_figure<ChunkTimes>([&](auto time) {
    for_each_figure<Limit>([&](auto figure) {
      if constexpr (std::string_view(figure.name) == time.name)
        act(limit.*figure.pointer, times.*time.pointer);
    });
  });
}

template <typename Times>
Times shorter_of(const Times& one, const Times& other) {
  Times both;
  for_each_figure<Times>(
      [&](auto time) { both.*time.pointer = std::min(one.*time.pointer, other.*time.pointer); });
  return both;
}

double busy_us(double alone, double steady, double chunks) {
  return std::min(alone + (chunks - 1) * steady, std::max(alone, chunks * steady));
}

/// Extra time of copies in one direction for each microsecond of copies in the other.
struct Slowed {
  double in = 0, out = 0;
};

Slowed slowed_stages(const ChunkTimes& t) {
  const double most = std::min(t.steady_in_us, t.steady_out_us);
  if (!(most > 0)) return {};
  return {std::max(0.0, t.steady_in_us - t.one_way_in_us) / most,
          std::max(0.0, t.steady_out_us - t.one_way_out_us) / most};
}

void add_copies(Overlap& overlap, const ChunkTimes& t, double work_us, double chunks, double ends) {
  const double in = busy_us(t.copy_in_us, t.one_way_in_us, chunks);
  const double out = busy_us(t.copy_out_us, t.one_way_out_us, chunks);
  const double after = ends * (work_us + t.copy_out_us), before = ends * (t.copy_in_us + work_us);
  const Slowed slowed = slowed_stages(t);
  // Otherwise simultaneous copies both ways would gain nothing, as on no link: a stray reading.
  const bool plausible = slowed.in + slowed.out < 1;
  double both = 0;
  if (plausible) {
    both = std::clamp(std::min((out - after) / (1 - slowed.out), (in - before) / (1 - slowed.in)),
                      0.0, chunks * std::min(t.steady_in_us, t.steady_out_us));
  }
  const double in_us = in + slowed.in * both, out_us = out + slowed.out * both;
  overlap.copies_in = {in_us, in_us + after};
  overlap.copies_out = {out_us, before + out_us};
  Busy& longer = overlap.copies_in.bound_us < overlap.copies_out.bound_us ? overlap.copies_out
                                                                          : overlap.copies_in;
  if (plausible) longer.bound_us = std::max(longer.bound_us, in_us + out_us - both);
  overlap.one_engine = {in + out, in + out + ends * work_us};
}

/// `ends`: the share of a chunk's stages before and after the busy resource.
Overlap overlap_of(const ChunkTimes& times, const PassPace& work, double chunks, double ends) {
  Overlap overlap;
  overlap.chunk_us = times.copy_in_us + work.alone_us + times.copy_out_us;
  add_copies(overlap, times, work.alone_us, chunks, ends);
  const double all_work =
      std::max(work.alone_us, busy_us(work.alone_us, work.steady_us, chunks) - work.hidden_us);
  overlap.work = {all_work, all_work + ends * (times.copy_in_us + times.copy_out_us)};
  return overlap;
}

/// start + bytes * per_byte, neither below zero.
struct Line {
  double start = 0, per_byte = 0;
  double at(double bytes) const { return start + bytes * per_byte; }
};

Line line_through(double bytes, double us, double other_bytes, double other_us) {
  const double slope = bytes == other_bytes ? 0 : (other_us - us) / (other_bytes - bytes);
  const double per_byte = std::clamp(slope, 0.0, us / bytes);
  return {us - bytes * per_byte, per_byte};
}

CopyCost cost_of(const Line& line) { return {line.start, line.per_byte * (1 << 20)}; }

}  // namespace

double exact_chunks(const Workload& workload) {
  if (workload.pipeline) {
    const Pipeline& p = *workload.pipeline;
    return static_cast<double>(p.chunks - 1) +
           static_cast<double>(p.last_items) / static_cast<double>(p.items);
  }
  return static_cast<double>(workload.bytes) / static_cast<double>(workload.chunk_bytes);
}

Workload share_of_gpu(const Workload& workload) {
  if (!workload.gpus) return workload;
  const double full = std::max(1.0, std::floor(exact_chunks(workload)));
  return on_one_gpu(workload, static_cast<std::uint64_t>(std::ceil(full / workload.gpu_count())));
}

ChunkTimes times_of(const Limit& limit) {
  // Where older files lack a time, its value here counts.
  ChunkTimes times{.one_way_in_us = std::min(limit.copy_in_us, limit.steady_in_us),
                   .one_way_out_us = std::min(limit.copy_out_us, limit.steady_out_us)};
  for_each_time(limit, times, [](const std::optional<double>& figure, double& time) {
    time = figure.value_or(time);
  });
  return times;
}

void set_times(Limit& limit, const ChunkTimes& times) {
  for_each_time(limit, times, [](auto& figure, double time) { figure = time; });
}

ChunkTimes shorter(const ChunkTimes& one, const ChunkTimes& other) {
  return shorter_of(one, other);
}
WholePass shorter(const WholePass& one, const WholePass& other) { return shorter_of(one, other); }

ChunkTimes uncrowded(ChunkTimes times) {
  constexpr double most_longer = 1.5;
  for (auto time :
       {&ChunkTimes::kernels_us, &ChunkTimes::steady_work_us, &ChunkTimes::graph_kernels_us,
        &ChunkTimes::graph_work_us, &ChunkTimes::graph_steady_kernels_us}) {
    times.*time /= most_longer;
  }
  return times;
}

Overlap overlap_of(const ChunkTimes& times, const PassPace& work, double chunks) {
  const double full = std::floor(chunks), rest = chunks - full;
  Overlap overlap = overlap_of(times, work, full, 1);
  if (rest == 0) return overlap;
  const Overlap all = overlap_of(times, work, chunks, rest);
  for (auto busy : {&Overlap::copies_in, &Overlap::copies_out, &Overlap::one_engine}) {
    overlap.*busy = {(all.*busy).us, std::max((overlap.*busy).bound_us, (all.*busy).bound_us)};
  }
  return overlap;
}

void derive_bounds(Limit& limit, double chunks, bool crowded) {
  const ChunkTimes measured = times_of(limit);
  const ChunkTimes times = crowded ? uncrowded(measured) : measured;
  const auto faster = [](double on_streams, double in_graph) {
    return in_graph > 0 ? std::min(on_streams, in_graph) : on_streams;  // 0: unknown
  };
  const double kernels = faster(times.kernels_us, times.graph_kernels_us);
  const double steady = faster(times.steady_work_us, times.graph_work_us);
  const Overlap overlap = overlap_of(times, {times.clear_us + kernels, steady}, chunks);
  const std::array bounds{std::pair{overlap.work.bound_us, Limiter::sms},
                          std::pair{overlap.copies_in.bound_us, Limiter::copy_in},
                          std::pair{overlap.copies_out.bound_us, Limiter::copy_out}};
  std::tie(limit.bound_us, limit.bound_by) =
      *std::ranges::max_element(bounds, {}, [](auto& bound) { return bound.first; });
  if (chunks == 1) limit.bound_by = Limiter::one_chunk;  // nothing overlaps
  limit.one_engine_us = std::max({overlap.one_engine.bound_us, limit.bound_us});
  limit.serial_us = chunks * (measured.copy_in_us + measured.clear_us + measured.kernels_us +
                              measured.copy_out_us);
}

ChunkTimes times_at(const OtherCut& one, const OtherCut& other, double chunk_bytes) {
  ChunkTimes times;
  for_each_figure<ChunkTimes>([&](auto member) {
    const auto time = member.pointer;
    times.*time =
        line_through(one.chunk_bytes, one.times.*time, other.chunk_bytes, other.times.*time)
            .at(chunk_bytes);
  });
  return times;
}

void find_best_cut(Limit& limit, const OtherCut& own, const OtherCut& other, double bytes) {
  const auto [small, large] = std::minmax(own.chunk_bytes, other.chunk_bytes);
  const auto present = static_cast<std::uint32_t>(std::ceil(bytes / own.chunk_bytes));
  const auto fewest = static_cast<std::uint32_t>(std::max(1.0, std::ceil(bytes / large)));
  const auto most = static_cast<std::uint32_t>(bytes / small);
  BestCut best{present, limit.bound_us};
  for (std::uint32_t chunks = fewest; chunks <= most; ++chunks) {
    Limit cut;
    set_times(cut, times_at(own, other, bytes / chunks));
    derive_bounds(cut, chunks);
    if (cut.bound_us < best.bound_us) best = {chunks, cut.bound_us};
  }
  limit.best = best;
  limit.other = other;
  limit.copies_in = cost_of(line_through(own.chunk_bytes, own.times.copy_in_us, other.chunk_bytes,
                                         other.times.copy_in_us));
  limit.copies_out = cost_of(line_through(own.result_bytes, own.times.copy_out_us,
                                          other.result_bytes, other.times.copy_out_us));
}

}  // namespace trilane
