#include "common/explain/analysis/limits/load_words.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"

namespace trilane {
namespace {

std::string part_of(double us, const Measurement& m) {
  const double wall = m.wall->mean;
  return us < wall ? fmt::format("{} of its {} us", format_us(us), format_us(wall))
                   : fmt::format("all of its {} us", format_us(wall));
}

/// Describes a pass whose graphs were made at set-up.
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
    case Issuer::graph_set: break;
  }
  const std::uint64_t calls = total_calls(m.plan);
  return fmt::format("{} runtime call{}", calls, calls == 1 ? "" : "s");
}

std::string copies(const char* way, std::uint64_t bytes, const Load& load,
                   const std::string& part) {
  return fmt::format("copies {} take {}, at {:.1f} GB/s", way, part,
                     static_cast<double>(bytes) / load.us * 1e-3);
}

/// Returns which part of the stages' kernels the variant needs.
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

}  // namespace trilane
