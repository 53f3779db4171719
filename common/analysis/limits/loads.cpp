#include "common/analysis/limits/loads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/text/size.hpp"

namespace trilane {
namespace {

std::string part_of(double us, const Measurement& m) {
  const double wall = m.wall->median;
  return us < wall ? fmt::format("{} of its {} us", format_us(us), format_us(wall))
                   : fmt::format("all of its {} us", format_us(wall));
}

std::string submitted(const Measurement& m, const Workload& workload) {
  switch (m.plan.model.issuer) {
    case Issuer::graph:
      return fmt::format("one graph of {} nodes", graph_nodes_of(m.plan.model, workload));
    case Issuer::host_waiting:
    case Issuer::host:
    case Issuer::host_threads:
    case Issuer::graph_updated:
    case Issuer::graph_set: break;
  }
  const std::uint64_t calls = total_calls(m.plan);
  return fmt::format("{} runtime call{}", calls, calls == 1 ? "" : "s");
}

std::string submission(const Measurement& m, const Workload& workload) {
  return fmt::format("submitting {} takes the host {}", submitted(m, workload),
                     part_of(m.submit->median, m));
}

/// Collects the loads, except those that a faster variant disproves.
class Loads {
 public:
  Loads(const Comparison& comparison, const Measurement& m) : comparison_(comparison), m_(m) {
    all_.push_back(
        {Limiter::host_submission, m.submit->median, submission(m, comparison.workload)});
  }

  /// The engines copy chunk by chunk, as the limit's probe does.
  void add_chunks() {
    const Limit& limit = *comparison_.limit;
    const double chunks = comparison_.workload.chunks();
    const auto add_copies = [&](Limiter by, const char* way, double us, double gbps) {
      add(by, us, true,
          fmt::format("copies {} take {}, at {:.1f} GB/s with both directions in use", way,
                      part_of(us, m_), gbps));
    };
    add_copies(Limiter::copy_in, "in", chunks * limit.steady_in_us, limit.duplex_in_gbps);
    add_copies(Limiter::copy_out, "out", chunks * limit.steady_out_us, limit.duplex_out_gbps);
    const double work = chunks * limit.steady_work_us;
    const bool brief = kernel_us(comparison_) < short_us;
    add(brief ? Limiter::kernel_launches : Limiter::sms, work, brief,
        fmt::format("memsets and kernels take {}{}", part_of(work, m_),
                    brief ? ", started one by one" : ""));
    switch (m_.plan.model.chaining) {
      case Chaining::one_stream: add_lane(1); break;
      case Chaining::lanes:
      case Chaining::data_edges: add_lane(comparison_.workload.used_lanes()); break;
      case Chaining::engines: add_kernel_stream(); break;
    }
  }

  /// Other ways to move the bytes use the same link, and their kernels do the same work.
  void add_others() {
    const Limit& limit = *comparison_.limit;
    add_link(Limiter::copy_in, limit.copies_in, limit.copy_in_us, comparison_.workload.bytes,
             limit.in_gbps);
    add_link(Limiter::copy_out, limit.copies_out, limit.copy_out_us,
             comparison_.workload.result_total(), limit.out_gbps);
    const double work = kernels_us(comparison_);
    if (work == 0) return;
    add(Limiter::sms, work, false, fmt::format("the stages' kernels take {}", part_of(work, m_)));
  }

  std::vector<Load> take() { return std::move(all_); }

 private:
  /// Uses the cost of copies per byte or, if that is not known, the rate of chunks.
  void add_link(Limiter by, const std::optional<CopyCost>& cost, double chunk_us,
                std::uint64_t bytes, double gbps) {
    constexpr double bytes_per_us_in_gbps = 1e-3;
    if (cost) gbps = (1 << 20) * bytes_per_us_in_gbps / cost->us_per_mib;
    if ((!cost && chunk_us < short_us) || !std::isfinite(gbps)) return;
    const double us = static_cast<double>(bytes) * bytes_per_us_in_gbps / gbps;
    add(by, us, false,
        fmt::format("at the {:.1f} GB/s of the copy engines its bytes take {}", gbps,
                    part_of(us, m_)));
  }

  /// Not held against other variants, because those with lanes run kernels side by side.
  void add_kernel_stream() {
    if (kernel_us(comparison_) < short_us) return;
    const double us = kernels_in_turn_us(comparison_);
    all_.push_back({Limiter::kernels_in_turn, us,
                    fmt::format("memsets and kernels, one after the other on one stream, take {}",
                                part_of(us, m_))});
  }

  void add_lane(std::uint32_t lanes) {
    if (comparison_.workload.chunks() == lanes) return;
    const Limit& limit = *comparison_.limit;
    const double us =
        lane_us(comparison_, lanes,
                limit.copy_in_us + limit.clear_us + limit.kernels_us + limit.copy_out_us);
    add(Limiter::lane_stages, us, true,
        fmt::format("one after the other they take {}", part_of(us, m_)));
  }

  /// `of_chunks`: only variants that copy each chunk by itself do the same work.
  void add(Limiter by, double us, bool of_chunks, std::string figures) {
    if (as_good_as * us <= fastest(of_chunks)) {
      all_.push_back({by, us, std::move(figures)});
    }
  }

  double fastest(bool of_chunks) const {
    double fastest = std::numeric_limits<double>::infinity();
    for (const Measurement& m : comparison_.measurements) {
      if (m.status != Status::ok || !m.wall) continue;
      if (of_chunks && !copies_each_chunk(m.plan.model, comparison_.workload)) continue;
      fastest = std::min(fastest, m.wall->median);
    }
    return fastest;
  }

  const Comparison& comparison_;
  const Measurement& m_;
  std::vector<Load> all_;
};

}  // namespace

double kernels_in_turn_us(const Comparison& comparison) {
  const Limit& limit = *comparison.limit;
  return comparison.workload.chunks() * (limit.clear_us + limit.kernels_us) - limit.clear_us;
}

double kernel_us(const Comparison& comparison) {
  return comparison.limit->kernels_us / comparison.workload.depth;
}

double lane_us(const Comparison& comparison, std::uint32_t lanes, double chunk_us) {
  return (comparison.workload.chunks() + lanes - 1) / lanes * chunk_us;
}

double kernels_us(const Comparison& comparison) {
  const Limit& limit = *comparison.limit;
  if (kernel_us(comparison) < short_us) return 0;
  const double share = limit.kernels_us / (limit.clear_us + limit.kernels_us);
  return comparison.workload.chunks() * limit.steady_work_us * share;
}

std::vector<Load> loads_of(const Comparison& comparison, const Measurement& m) {
  Loads loads(comparison, m);
  if (copies_each_chunk(m.plan.model, comparison.workload)) {
    loads.add_chunks();
  } else {
    loads.add_others();
  }
  return loads.take();
}

}  // namespace trilane
