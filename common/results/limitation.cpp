#include "common/results/limitation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "common/options/size.hpp"

namespace trilane {
namespace {

constexpr double most_of_it = 0.5;      // of the wall time: less is no limit
constexpr double near_limit = 0.95;     // of the limit's speed: what is left is not worth a word
constexpr double short_kernel_us = 10;  // a launch and the gap after it are a good part of that

struct Load {
  const char* by;
  double us;
  std::string figures;
};

std::uint64_t count_of(const std::vector<Count>& counts, const char* name) {
  const auto found = std::ranges::find(counts, name, &Count::name);
  return found == counts.end() ? 0 : found->value;
}

std::uint64_t nodes_of(const Plan& plan) {
  std::uint64_t nodes = 0;
  for (const Count& node : plan.nodes) {
    if (node.name.ends_with("nodes")) nodes += node.value;
  }
  return nodes;
}

std::string part_of(double us, const Measurement& m) {
  return fmt::format("{} of its {} us", format_us(us), format_us(m.wall->median));
}

std::string submission(const Measurement& m) {
  std::uint64_t calls = 0;
  for (const Count& call : m.plan.calls) calls += call.value;
  const std::string what = calls == 1 && !m.plan.nodes.empty()
                               ? fmt::format("one graph of {} nodes", nodes_of(m.plan))
                               : fmt::format("{} runtime calls", calls);
  return fmt::format("submitting {} takes the host {}", what, part_of(m.submit->median, m));
}

std::string copying(const char* way, double us, double gbps, const Measurement& m) {
  return fmt::format("copies {} take {}, at {:.1f} GB/s with both directions in use", way,
                     part_of(us, m), gbps);
}

/// For bytes that cross the link in another way than chunk by chunk on the copy engines: what the
/// engines' rate says, unless the variant is faster than that.
void add_link(std::vector<Load>& loads, const Comparison& comparison, const Measurement& m) {
  const Workload& workload = comparison.workload;
  const auto add = [&](const char* by, std::uint64_t bytes, double gbps) {
    constexpr double bytes_per_us_in_gbps = 1e-3;
    const double us = static_cast<double>(bytes) * bytes_per_us_in_gbps / gbps;
    if (!(us <= m.wall->median)) return;
    loads.push_back({by, us,
                     fmt::format("at the {:.1f} GB/s of the copy engines its bytes take {}", gbps,
                                 part_of(us, m))});
  };
  add("copy in", workload.bytes, comparison.limit->in_gbps);
  add("copy out", workload.result_total(), comparison.limit->out_gbps);
}

/// What is known to be busy during a pass, and for how long.
std::vector<Load> loads_of(const Comparison& comparison, const Measurement& m) {
  const Limit& limit = *comparison.limit;
  const double chunks = comparison.workload.chunks();
  std::vector<Load> loads{{"host submission", m.submit->median, submission(m)}};
  if (!copies_each_chunk(m.plan, comparison.workload)) {
    add_link(loads, comparison, m);
    return loads;
  }
  const double in = chunks * limit.steady_in_us, out = chunks * limit.steady_out_us;
  const double work = chunks * limit.steady_work_us;
  loads.push_back({"copy in", in, copying("in", in, limit.duplex_in_gbps, m)});
  loads.push_back({"copy out", out, copying("out", out, limit.duplex_out_gbps, m)});
  loads.push_back({"SMs", work, fmt::format("memsets and kernels take {}", part_of(work, m))});
  return loads;
}

/// Whether a variant was measured that does with one launch what others do with many calls, or,
/// asked so, without copies on the engines.
bool has_graph(const Comparison& comparison, bool without_copies) {
  return std::ranges::any_of(comparison.measurements, [&](const Measurement& m) {
    return m.wall && !m.plan.nodes.empty() &&
           (!without_copies || count_of(m.plan.nodes, "memcpy nodes") == 0);
  });
}

std::string next_for_host(const Comparison& comparison, const Measurement& m) {
  if (m.plan.nodes.empty() && !has_graph(comparison, false)) {
    return "a graph, which is one call a pass";
  }
  const bool copies = count_of(m.plan.nodes, "memcpy nodes") > 0;
  if (copies && !has_graph(comparison, true)) {
    return "a graph of kernels only, which move the bytes through mapped host memory: copy and "
           "memset nodes cost the host at every launch";
  }
  return "fewer and wider chunks, or several stages in one kernel: the host pays for each";
}

std::string next_for_copies(const Comparison& comparison, const Measurement& m, double share) {
  const bool chunks = copies_each_chunk(m.plan, comparison.workload);
  const double reached = chunks ? comparison.limit->bound_us / m.wall->median : share;
  if (reached >= near_limit) return "fewer bytes: nothing else is left to gain";
  if (!chunks) return "the other variants that move the bytes otherwise, then fewer bytes";
  return "more lanes or smaller chunks: less of the first copy in and the last copy out would "
         "stand alone";
}

std::string next_for_sms(const Comparison& comparison) {
  const double kernel_us = comparison.limit->kernels_us / comparison.workload.depth;
  if (kernel_us < short_kernel_us) {
    return fmt::format(
        "fewer and longer kernels, by fusing them or by wider chunks: one takes {} "
        "us, and starting it is a good part of that",
        format_us(kernel_us));
  }
  return "the kernel itself: nothing around it takes long";
}

std::string next_for(const std::string& by, const Comparison& comparison, const Measurement& m,
                     double share) {
  if (by == "host submission") return next_for_host(comparison, m);
  if (by == "SMs") return next_for_sms(comparison);
  return next_for_copies(comparison, m, share);
}

/// Where no load is worth the name: all of them, for the reader to judge.
Limitation idle(const Comparison& comparison, const std::vector<Load>& loads,
                const Measurement& m) {
  std::string figures = fmt::format("of its {} us", format_us(m.wall->median));
  for (const Load& load : loads) {
    figures += fmt::format("{} {} takes {}", &load == &loads.front() ? "" : ",", load.by,
                           format_us(load.us));
  }
  if (copies_each_chunk(m.plan, comparison.workload)) {
    return {"waiting", std::nullopt, figures,
            "more lanes or wider chunks, so that something is always under way"};
  }
  if (count_of(m.plan.nodes, "memcpy nodes") + count_of(m.plan.calls, "cudaMemcpyAsync") > 0) {
    return {"waiting", std::nullopt, figures + ", and its copies overlap with no kernel",
            "a few parts instead of one, so that copies and kernels overlap"};
  }
  // What its kernels take is not known: they are not the stages' own.
  const std::string program = m.variant.substr(0, m.variant.find(':'));
  return {"its kernels", std::nullopt, figures + ", and its kernels move the bytes, too",
          fmt::format("a profiler on build/{}, which is this variant alone", program)};
}

std::optional<Limitation> blocked(const Measurement& m) {
  if (!m.plan.blocks) return std::nullopt;
  const std::uint64_t waits = count_of(m.plan.calls, "cudaStreamSynchronize");
  if (const std::uint64_t allocations = count_of(m.plan.calls, "cudaMalloc")) {
    return Limitation{"memory management", std::nullopt,
                      fmt::format("it allocates {} times a pass and waits for the device before "
                                  "each release",
                                  allocations),
                      "memory that is allocated once, or from a pool"};
  }
  return Limitation{"waiting", std::nullopt,
                    fmt::format("the host waits for the device {} times a pass", waits),
                    "lanes, and to wait once a pass"};
}

}  // namespace

bool copies_each_chunk(const Plan& plan, const Workload& workload) {
  const std::uint64_t copies =
      std::max(count_of(plan.calls, "cudaMemcpyAsync"), count_of(plan.nodes, "memcpy nodes"));
  return copies >= 2 * std::uint64_t{workload.chunks()};
}

Limitation limitation_of(const Comparison& comparison, const Measurement& m) {
  if (!comparison.limit || m.status != Status::ok || !m.wall || !m.submit) return {};
  if (const auto limitation = blocked(m)) return *limitation;
  const std::vector<Load> loads = loads_of(comparison, m);
  const Load& longest = *std::ranges::max_element(loads, {}, &Load::us);
  const double share = longest.us / m.wall->median;
  if (!(share > most_of_it)) return idle(comparison, loads, m);
  return {longest.by, share, longest.figures, next_for(longest.by, comparison, m, share)};
}

}  // namespace trilane
