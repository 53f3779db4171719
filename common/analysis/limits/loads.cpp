#include "common/analysis/limits/loads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/analysis/limits/limitation.hpp"
#include "common/text/size.hpp"

namespace trilane {
namespace {

std::string part_of(double us, const Measurement& m) {
  const double wall = m.wall->median;
  return us < wall ? fmt::format("{} of its {} us", format_us(us), format_us(wall))
                   : fmt::format("all of its {} us", format_us(wall));
}

std::string submission(const Measurement& m) {
  const std::uint64_t calls = total_calls(m.plan);
  const std::string what = calls == 1 && !m.plan.nodes.empty()
                               ? fmt::format("one graph of {} nodes", total_nodes(m.plan))
                               : fmt::format("{} runtime call{}", calls, calls == 1 ? "" : "s");
  return fmt::format("submitting {} takes the host {}", what, part_of(m.submit->median, m));
}

/// Collects what no measured variant beats.
class Loads {
 public:
  Loads(const Comparison& comparison, const Measurement& m) : comparison_(comparison), m_(m) {
    all_.push_back({"host submission", m.submit->median, submission(m)});
  }

  /// Chunk by chunk on the copy engines, as the limit takes it.
  void add_chunks() {
    const Limit& limit = *comparison_.limit;
    const double chunks = comparison_.workload.chunks();
    const auto add_copies = [&](const char* way, double us, double gbps) {
      add(fmt::format("copy {}", way), us, true,
          fmt::format("copies {} take {}, at {:.1f} GB/s with both directions in use", way,
                      part_of(us, m_), gbps));
    };
    add_copies("in", chunks * limit.steady_in_us, limit.duplex_in_gbps);
    add_copies("out", chunks * limit.steady_out_us, limit.duplex_out_gbps);
    const double work = chunks * limit.steady_work_us;
    const bool brief = kernel_us(comparison_) < short_us;
    add(brief ? "kernel launches" : "SMs", work, brief,
        fmt::format("memsets and kernels take {}{}", part_of(work, m_),
                    brief ? ", started one by one" : ""));
    if (one_kernel_stream(m_.plan, comparison_.workload)) {
      add_kernel_stream();
    } else {
      add_lane();
    }
  }

  /// Other ways to move the bytes, which go over the same link; the kernels' work is the same.
  void add_others() {
    const Limit& limit = *comparison_.limit;
    add_link("copy in", limit.copies_in, limit.copy_in_us, comparison_.workload.bytes,
             limit.in_gbps);
    add_link("copy out", limit.copies_out, limit.copy_out_us, comparison_.workload.result_total(),
             limit.out_gbps);
    if (kernel_us(comparison_) < short_us) return;
    const double kernels = limit.kernels_us / (limit.clear_us + limit.kernels_us);
    const double work = comparison_.workload.chunks() * limit.steady_work_us * kernels;
    add("SMs", work, false, fmt::format("the stages' kernels take {}", part_of(work, m_)));
  }

  std::vector<Load> take() { return std::move(all_); }

 private:
  /// By what copies take for each byte, or, where that is not known, by the rate of chunks.
  void add_link(const char* by, const std::optional<CopyCost>& cost, double chunk_us,
                std::uint64_t bytes, double gbps) {
    constexpr double bytes_per_us_in_gbps = 1e-3;
    if (cost) gbps = (1 << 20) * bytes_per_us_in_gbps / cost->us_per_mib;
    if ((!cost && chunk_us < short_us) || !std::isfinite(gbps)) return;
    const double us = static_cast<double>(bytes) * bytes_per_us_in_gbps / gbps;
    add(by, us, false,
        fmt::format("at the {:.1f} GB/s of the copy engines its bytes take {}", gbps,
                    part_of(us, m_)));
  }

  /// Who has lanes beats that, and has another thing to do.
  void add_kernel_stream() {
    if (kernel_us(comparison_) < short_us) return;
    const double us = kernels_in_turn_us(comparison_);
    all_.push_back({"kernels in turn", us,
                    fmt::format("memsets and kernels, one after the other on one stream, take {}",
                                part_of(us, m_))});
  }

  /// A lane's chunks share its memory, so that one has to end before the next begins.
  void add_lane() {
    const Limit& limit = *comparison_.limit;
    const std::uint32_t chunks = comparison_.workload.chunks();
    const std::uint32_t lanes = comparison_.workload.used_lanes();
    if (chunks == lanes) return;
    const double chunk_us =
        limit.copy_in_us + limit.clear_us + limit.kernels_us + limit.copy_out_us;
    const double us = (chunks + lanes - 1) / lanes * chunk_us;
    add("a lane's stages", us, true,
        fmt::format("one after the other they take {}", part_of(us, m_)));
  }

  /// `of_chunks`: only those that copy each chunk by itself have the same to do.
  void add(std::string by, double us, bool of_chunks, std::string figures) {
    if (as_good_as * us <= fastest(of_chunks)) {
      all_.push_back({std::move(by), us, std::move(figures)});
    }
  }

  double fastest(bool of_chunks) const {
    double fastest = std::numeric_limits<double>::infinity();
    for (const Measurement& m : comparison_.measurements) {
      if (m.status != Status::ok || !m.wall) continue;
      if (of_chunks && !copies_each_chunk(m.plan, comparison_.workload)) continue;
      fastest = std::min(fastest, m.wall->median);
    }
    return fastest;
  }

  const Comparison& comparison_;
  const Measurement& m_;
  std::vector<Load> all_;
};

}  // namespace

std::uint64_t total_calls(const Plan& plan) {
  std::uint64_t calls = 0;
  for (const Count& call : plan.calls) calls += call.value;
  return calls;
}

std::uint64_t total_nodes(const Plan& plan) {
  std::uint64_t nodes = 0;
  for (const Count& node : plan.nodes) {
    if (node.name.ends_with("nodes")) nodes += node.value;
  }
  return nodes;
}

bool one_kernel_stream(const Plan& plan, const Workload& workload) {
  return plan.nodes.empty() && copies_each_chunk(plan, workload) &&
         count_of(plan.calls, "cudaEventRecord") >= 3 * std::uint64_t{workload.chunks()};
}

double kernels_in_turn_us(const Comparison& comparison) {
  const Limit& limit = *comparison.limit;
  return comparison.workload.chunks() * (limit.clear_us + limit.kernels_us) - limit.clear_us;
}

double kernel_us(const Comparison& comparison) {
  return comparison.limit->kernels_us / comparison.workload.depth;
}

std::vector<Load> loads_of(const Comparison& comparison, const Measurement& m) {
  Loads loads(comparison, m);
  if (copies_each_chunk(m.plan, comparison.workload)) {
    loads.add_chunks();
  } else {
    loads.add_others();
  }
  return loads.take();
}

}  // namespace trilane
