#include "common/measure/calibrate/bed.hpp"
#include "kernels/transform.hpp"

namespace trilane {
namespace {

constexpr std::array<std::uint64_t, 9> engine_sizes{4,       1 << 10, 4 << 10, 16 << 10, 64 << 10,
                                                    1 << 18, 1 << 20, 1 << 22, 1 << 24};

/// Returns many for small sizes, so that events resolve the time; few for large ones, to save time.
std::uint32_t repetitions(std::uint64_t bytes) {
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>((8 << 20) / bytes, 2, 60));
}

/// Returns the time of one operation while all lanes keep its engine busy.
double on_lanes_us(const Bed& bed, Kind kind, std::uint64_t bytes) {
  return bed.on_lanes_us(repetitions(bytes),
                         [&](std::uint32_t lane) { return bed.operation(kind, lane, bytes); });
}

/// Measures on one stream, where memsets follow each other without a gap or overlap.
double memset_us(const Bed& bed, std::uint64_t bytes) {
  return bed.in_a_row_us(2 * repetitions(bytes), bed.operation(Kind::memset, 0, bytes));
}

double gbps(std::uint64_t bytes, double us) { return static_cast<double>(bytes) / us * 1e-3; }

double duplex_gbps(Bed& bed, Kind kind, Kind other) {
  constexpr std::uint32_t copies = 4;
  const Event forked = make_ordering_event();
  const std::array<Event, 2> done{make_ordering_event(), make_ordering_event()};
  const auto& lanes = bed.all_lanes();
  const double us = bed.device_us([&](cudaStream_t origin) {
    check(cudaEventRecord(forked.get(), origin));
    for (std::uint32_t lane = 0; lane < Bed::lanes; ++lane) {
      check(cudaStreamWaitEvent(lanes[lane], forked.get(), 0));
      const bool timed = lane < done.size();
      for (std::uint32_t i = 0; i < (timed ? copies : 2 * copies); ++i) {
        bed.enqueue(timed ? kind : other, lane, Bed::lane_bytes);
      }
      if (!timed) continue;
      check(cudaEventRecord(done[lane].get(), lanes[lane]));
      check(cudaStreamWaitEvent(origin, done[lane].get(), 0));
    }
  });
  bed.synchronize();
  return gbps(done.size() * copies * Bed::lane_bytes, us);
}

/// Returns by how much longer a copy takes a busy engine if each has waited for a kernel.
double turn_us(Bed& bed, Kind kind) {
  constexpr std::uint64_t bytes = 1 << 20;
  constexpr std::uint32_t copies = 8;
  const auto& lanes = bed.all_lanes();
  const auto us = [&](bool waits) {
    return bed.device_us([&](cudaStream_t origin) {
      lanes.fork(origin);
      for (std::uint32_t i = 0; i < copies * Bed::lanes; ++i) {
        if (waits || i < Bed::lanes) bed.enqueue(Kind::kernel, i % Bed::lanes);
        bed.enqueue(kind, i % Bed::lanes, bytes);
      }
      lanes.join(origin);
    });
  };
  return std::max(0.0, us(true) - us(false)) / ((copies - 1) * Bed::lanes);
}

double pageable_gbps(Bed& bed, cudaMemcpyKind direction) {
  std::vector<std::byte> pageable(Bed::lane_bytes, std::byte{1});
  const DeviceBuffer device = make_device_buffer(Bed::lane_bytes);
  std::byte *to = device.get(), *from = pageable.data();
  if (direction == cudaMemcpyDeviceToHost) std::swap(to, from);
  return gbps(Bed::lane_bytes, bed.host_us(5, [&] {
    check(cudaMemcpyAsync(to, from, Bed::lane_bytes, direction, bed.origin()));
    check(cudaStreamSynchronize(bed.origin()));
  }));
}

double within_gbps(Bed& bed) {
  const DeviceBuffer from = make_device_buffer(Bed::lane_bytes);
  const DeviceBuffer to = make_device_buffer(Bed::lane_bytes);
  const Operation::Copy copy{to.get(), from.get(), Bed::lane_bytes, cudaMemcpyDeviceToDevice};
  return gbps(Bed::lane_bytes, bed.in_a_row_us(8, Operation(copy)));
}

/// Returns the rate of a kernel over the link, without what does not grow with the bytes.
double mapped_gbps(Bed& bed, cudaMemcpyKind direction) {
  constexpr std::uint64_t more = Bed::lane_bytes, fewer = more / 2;
  const auto us = [&](std::uint64_t bytes) {
    return bed.in_a_row_us(2, bed.moving(direction, bytes));
  };
  return gbps(more - fewer, us(more) - us(fewer));
}

/// Returns by how much longer a kernel waits for what it reads from mapped host memory.
double mapped_read_us(Bed& bed) {
  const auto us = [&](cudaMemcpyKind direction) {
    return bed.in_a_row_us(8, bed.moving(direction, Bed::smallest));
  };
  return std::max(0.0, us(cudaMemcpyHostToDevice) - us(cudaMemcpyDeviceToDevice));
}

/// Returns the time that a further row of a copy takes.
double row_us(Bed& bed) {
  constexpr std::size_t row = 64, pitch = 2 * row, rows = 1024;
  const PinnedBuffer host = make_pinned_buffer(rows * pitch);
  const DeviceBuffer device = make_device_buffer(rows * pitch);
  const auto us = [&](std::size_t bytes, std::size_t count) {
    return bed.device_us([&](cudaStream_t origin) {
      check(cudaMemcpy2DAsync(device.get(), 2 * bytes, host.get(), 2 * bytes, bytes, count,
                              cudaMemcpyHostToDevice, origin));
    });
  };
  return std::max(0.0, us(row, rows) - us(row * rows / 2, 2)) / (rows - 2);
}

constexpr int batch_readings = 31;
constexpr std::size_t few_copies = 1, many_copies = 64;  // copies of two batches

double batch_us(Bed& bed, std::size_t copies) {
  const PinnedBuffer host = make_pinned_buffer(copies * Bed::small);
  const DeviceBuffer device = make_device_buffer(copies * Bed::small);
  std::vector<void*> to;
  std::vector<const void*> from;
  for (std::size_t i = 0; i < copies; ++i) {
    to.push_back(device.get() + i * Bed::small);
    from.push_back(host.get() + i * Bed::small);
  }
  const std::vector<std::size_t> sizes(copies, Bed::small);
  cudaMemcpyAttributes attributes{};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  std::size_t first = 0;  // the attributes apply from this copy on
  return bed.host_us(batch_readings, [&] {
    check(cudaMemcpyBatchAsync(to.data(), from.data(), sizes.data(), copies, &attributes, &first, 1,
                               bed.origin()));
  });
}

constexpr std::array<std::uint64_t, 11> each_words{1 << 8,  1 << 10, 1 << 12, 1 << 14,
                                                   1 << 16, 1 << 17, 1 << 18, 1 << 19,
                                                   1 << 20, 1 << 21, 1 << 22};
constexpr std::array<std::uint64_t, 6> reduce_words{1 << 10, 1 << 12, 1 << 14,
                                                    1 << 18, 1 << 20, 1 << 22};
constexpr std::array<std::uint64_t, 4> reduce_outputs{1, 1 << 5, 1 << 10, 1 << 15};

/// Returns rounds that make a kernel last 100 us or more, so that constants and gaps hardly matter.
std::uint32_t many_rounds(std::uint64_t words) {
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>((1ull << 30) / words, 256, 12'000));
}

constexpr std::uint32_t in_a_row = 12;  // kernels

/// Returns the share of the SMs that a kernel occupies: its time per kernel beside others over its
/// time alone. If n kernels run as fast as one, the share is only known to be at most 1/n. The
/// number of blocks then decides: 8 blocks of 256 threads fill an SM.
double share_of(double beside, double alone, std::uint64_t blocks, int multiprocessors) {
  const double share = std::min(1.0, beside / alone);
  const double least = 1.0 / Bed::lanes;
  constexpr double blocks_per_sm = 8;
  const double filled = static_cast<double>(blocks) / (blocks_per_sm * multiprocessors);
  return share > 1.1 * least ? share : std::min(share, filled);
}

double gap_us(Bed& bed, const Profile& profile) {
  constexpr std::uint64_t fewest_words = 4;
  const double step = bed.in_a_row_us(in_a_row, bed.kernel(0, fewest_words, fewest_words, 1));
  return std::max(0.0, step - profile.engine.kernel_spacing_us);
}

KernelCost measure(Bed& bed, const Profile& profile, double gap, std::uint64_t words,
                   std::uint64_t outputs) {
  const KernelLaunch launch = transform_launch(nullptr, nullptr, words, outputs, 0, 1);
  const std::uint32_t many = many_rounds(words);
  const double one = bed.in_a_row_us(in_a_row, bed.kernel(0, words, outputs, 1));
  const double long_one = bed.in_a_row_us(in_a_row, bed.kernel(0, words, outputs, many));
  const double beside_others = bed.on_lanes_us(
      in_a_row, [&](std::uint32_t lane) { return bed.kernel(lane, words, outputs, many); });
  return {.reduces = outputs < words,
          .words = words,
          .outputs = outputs,
          .blocks = launch.grid.x,
          .us = std::max(0.0, one - gap),
          .round_us = std::max(0.0, (long_one - one) / (many - 1)),
          .share = share_of(beside_others, long_one, launch.grid.x, profile.multiprocessors)};
}

}  // namespace

void measure_engines(Bed& bed, Profile& profile) {
  auto& engine = profile.engine;
  for (std::uint64_t bytes : engine_sizes) {
    for (Kind kind : {Kind::copy_in, Kind::copy_out}) {
      engine.duration[index_of(kind)].push_back({bytes, on_lanes_us(bed, kind, bytes)});
    }
    engine.duration[index_of(Kind::memset)].push_back({bytes, memset_us(bed, bytes)});
  }
  engine.in_gbps = gbps(engine_sizes.back(), engine.duration[index_of(Kind::copy_in)].back().us);
  engine.out_gbps = gbps(engine_sizes.back(), engine.duration[index_of(Kind::copy_out)].back().us);
  engine.duplex_in_gbps = duplex_gbps(bed, Kind::copy_in, Kind::copy_out);
  engine.duplex_out_gbps = duplex_gbps(bed, Kind::copy_out, Kind::copy_in);
  engine.turn_us = (turn_us(bed, Kind::copy_in) + turn_us(bed, Kind::copy_out)) / 2;
  engine.pageable_in_gbps = pageable_gbps(bed, cudaMemcpyHostToDevice);
  engine.pageable_out_gbps = pageable_gbps(bed, cudaMemcpyDeviceToHost);
  engine.mapped_in_gbps = mapped_gbps(bed, cudaMemcpyHostToDevice);
  engine.mapped_out_gbps = mapped_gbps(bed, cudaMemcpyDeviceToHost);
  engine.mapped_both_gbps = mapped_gbps(bed, cudaMemcpyHostToHost);
  engine.mapped_read_us = mapped_read_us(bed);
  engine.row_us = row_us(bed);
  engine.within_gbps = within_gbps(bed);
  engine.kernel_spacing_us = on_lanes_us(bed, Kind::kernel, Bed::smallest);
}

void measure_batches(Bed& bed, Profile& profile) {
  const Growth batch =
      growth(few_copies, batch_us(bed, few_copies), many_copies, batch_us(bed, many_copies));
  profile.calls_us["cudaMemcpyBatchAsync"] = batch.constant_us;
  profile.calls_us["batched copy"] = batch.node_us;
}

void measure_kernels(Bed& bed, Profile& profile) {
  const double gap = gap_us(bed, profile);
  for (std::uint64_t words : each_words) {
    profile.kernels.push_back(measure(bed, profile, gap, words, words));
  }
  for (std::uint64_t words : reduce_words) {
    for (std::uint64_t outputs : reduce_outputs) {
      if (outputs < words) profile.kernels.push_back(measure(bed, profile, gap, words, outputs));
    }
  }
}

}  // namespace trilane
