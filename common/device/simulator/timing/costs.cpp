#include "common/device/simulator/timing/costs.hpp"

namespace trilane::simulator {

namespace {

bool is_stage(Kind kind) { return index_of(kind) < stage_kinds; }

// The threads from which on an SM is busy with arithmetic: a block of the measured kernels.
constexpr double busy_threads = 256;

// The bytes of a thread that are under way while it reads over the link: one access of the widest.
constexpr double bytes_under_way = 16;

double us_at(double gbps, std::uint64_t bytes) { return static_cast<double>(bytes) / gbps * 1e-3; }

}  // namespace

Engine engine_of(const Task& task) {
  switch (task.kind) {
    case Kind::copy_in: return Engine::copy_in;
    case Kind::copy_out: return Engine::copy_out;
    case Kind::copy_within: return task.device == task.to_device ? Engine::sms : Engine::peer;
    case Kind::memset:
    case Kind::kernel: return Engine::sms;
    case Kind::host_function:
    case Kind::allocate:
    case Kind::release: break;
  }
  return Engine::none;
}

Costs::Costs(const Profile& profile)
    : profile_(profile),
      return_us_(*std::ranges::min_element(profile.stream.start_us)),
      carried_bytes_(profile.stream.carried_bytes()),
      kernel_bytes_(profile.stream.kernel_memset_bytes()) {}

Kind Costs::kind_of(const Task& task) const {
  return task.kind == Kind::memset && task.bytes >= kernel_bytes_ ? Kind::kernel : task.kind;
}

std::optional<Kind> Costs::kind_seen(const Operation& operation) const {
  if (!is_stage(operation.task->kind)) return std::nullopt;
  return is_carried(operation) ? Kind::kernel : kind_of(*operation.task);
}

/// Returns true if a launch begins with the copy and is small, so that its own queue carries it.
bool Costs::is_carried(const Operation& operation) const {
  const Task& task = *operation.task;
  return operation.timing.begins_launch && task.kind == Kind::copy_in &&
         task.bytes <= carried_bytes_;
}

double Costs::host_us(const Operation& operation) const {
  const Task& task = *operation.task;
  if (!is_stage(task.kind)) return 0;
  const bool staged = task.pageable && task.kind == Kind::copy_in;
  const double staging = staged ? us_at(profile_.engine.pageable_in_gbps, task.bytes) : 0;
  if (task.batched) return staging + batched_us(task);
  if (operation.launch == 0) {
    const std::uint64_t bytes =
        task.kind == Kind::kernel ? task.kernel.words * sizeof(std::uint32_t) : task.bytes;
    return staging + at_size(profile_.stream.enqueue[index_of(task.kind)], bytes);
  }
  // A root costs as much as one more node of its kind.
  const auto after = [&](Kind before) {
    return profile_.graph.node_us[index_of(before)][index_of(kind_of(task))];
  };
  double node_us = operation.timing.begins_launch ? after(kind_of(task)) : 0;
  for (const OperationPtr& other : operation.after) {
    if (other->launch != operation.launch) continue;
    const bool is_about_memory = !is_stage(other->task->kind);
    const Kind before =
        is_about_memory ? other->timing.kind.value_or(task.kind) : kind_of(*other->task);
    node_us = std::max(node_us, after(before));
  }
  return staging + node_us;
}

/// Returns the time in a batch. The profile has it for 4 KiB. From there it changes with the bytes
/// as that of a single copy does, which agrees with an H200 for 1 MiB. Without it: a single copy's.
double Costs::batched_us(const Task& task) const {
  constexpr std::uint64_t measured_bytes = 4 << 10;
  const auto& single = profile_.stream.enqueue[index_of(task.kind)];
  const double single_us = at_size(single, task.bytes);
  const auto known = profile_.calls_us.find("batched copy");
  if (known == profile_.calls_us.end()) return single_us;
  return std::max(0.0, known->second + single_us - at_size(single, measured_bytes));
}

double Costs::start_us(const Operation& operation) const {
  if (!is_stage(operation.task->kind)) return 0;
  if (operation.launch != 0) return std::max(0.0, profile_.graph.start_us - return_us_);
  const Task& task = *operation.task;
  // The host itself writes a small copy in, which then starts at once.
  const bool is_engines = task.kind == Kind::copy_in && carried_bytes_ > 0 &&
                          (task.batched || task.bytes > carried_bytes_);
  const Kind kind = is_engines ? Kind::copy_out : task.kind;
  return profile_.stream.start_us[index_of(kind)] - return_us_;
}

double Costs::latency_us(const Operation& before, const Operation& operation) const {
  const std::optional<Kind> from = before.timing.kind, to = operation.timing.kind;
  if (!from || !to || !is_stage(operation.task->kind)) return 0;
  const bool in_graph = operation.launch != 0 && operation.launch == before.launch;
  const auto& table = in_graph ? profile_.graph.latency_us : profile_.stream.latency_us;
  const double across =
      !in_graph && operation.stream != before.stream ? profile_.stream.across_us : 0;
  return table[index_of(*from)][index_of(*to)] + across;
}

std::optional<double> Costs::look_us(const Operation& before, const Operation& operation) const {
  if (before.launch != operation.launch) return std::nullopt;
  const Engine from = is_carried(before) ? Engine::sms : engine_of(*before.task);
  const Engine to = engine_of(*operation.task);
  const bool polls = from != Engine::none && to != Engine::none && from != to;
  // A GPU that polls more often than the latency takes does not poll for the end.
  const bool seldom =
      polls && profile_.stream.look_us.value_or(0) >= latency_us(before, operation) / 2;
  return seldom ? profile_.stream.look_us : std::nullopt;
}

Loads Costs::loads(const Operation& operation) const {
  const Task& task = *operation.task;
  const auto& engine = profile_.engine;
  const double rows_us = engine.row_us.value_or(0.02) * static_cast<double>(task.rows - 1);
  const auto duration = [&](std::uint64_t bytes) {
    const auto& by_size = engine.duration[index_of(task.kind)];
    // A copy that follows another in a batch lacks the fixed cost of a copy. That is approximate:
    // an H200 takes about 80 us for 64 copies of 4 KiB and the wait, and so does the model.
    const double saved_us = task.batched.value_or(0) > 0 ? at_size(by_size, 1) : 0;
    return std::max(0.0, at_size(by_size, bytes) - saved_us) + rows_us;
  };
  switch (task.kind) {
    case Kind::copy_in:
      // The host stages pageable bytes piece by piece and the engine follows, so one piece remains.
      return {{duration(task.pageable ? 1 : task.bytes), 0}};
    case Kind::copy_out:
      return {
          {task.pageable ? us_at(engine.pageable_out_gbps, task.bytes) : duration(task.bytes), 0}};
    case Kind::memset:  // limited by memory, so its share of the SMs is negligible
      return over_link({duration(task.bytes), 0}, task);
    case Kind::copy_within: return {{us_at(within_gbps(task), task.bytes) + rows_us, 0}};
    case Kind::kernel: break;
    case Kind::host_function:
    case Kind::allocate:
    case Kind::release: return {{0, 0}};
  }
  const KernelTime time = kernel_time(task);
  return over_link({time.us, time.share}, task);
}

/// Returns the rate of a copy within a device or to another. Without a rate for the link between
/// them, or without peer access, it passes the host's links.
double Costs::within_gbps(const Task& task) const {
  const auto& engine = profile_.engine;
  if (engine_of(task) != Engine::peer) return engine.within_gbps;
  const double over_host = std::min(engine.in_gbps, engine.out_gbps);
  return task.staged ? over_host : engine.peer_gbps.value_or(over_host);
}

KernelTime Costs::kernel_time(const Task& task) const {
  if (task.declared_us) {
    return {std::min(*task.declared_us, longest_operation_us), std::min(task.fill, 1.0)};
  }
  KernelTime time = measured(task.kernel);
  if (task.kernel.rounds > 0) {
    // Fewer blocks than those of the measured kernel may have to do their rounds with fewer SMs.
    const double sms = static_cast<double>(task.kernel.blocks) / profile_.multiprocessors;
    if (sms >= time.share) return time;
    KernelSize one = task.kernel;
    one.rounds = 1;
    const double first_us = measured(one).us, rounds_us = time.us - first_us;
    return {std::min(first_us + rounds_us * time.share / sms, longest_operation_us), sms};
  }
  // The smallest kernel, plus its bytes at the rate of a copy, which reads and writes each byte.
  time.us = measured({.words = 1, .outputs = 1, .rounds = 1}).us +
            us_at(2 * profile_.engine.within_gbps, task.traffic.device);
  return time;
}

KernelTime Costs::measured(const KernelSize& size) const {
  const auto found = std::ranges::find(known_, size, &Known::size);
  if (found != known_.end()) return found->time;
  return known_.emplace_back(Known{size, profile_.kernel_time(size)}).time;
}

/// Extends a load to the time on the link, during which the kernel's blocks stay on the SMs. In a
/// kernel that reads and writes, all threads that fit on the SMs read before they write: the first
/// of these waves only reads, and the last one only writes, both as fast as copies. That is so on
/// an H200 if each thread reads once (plots/results/regimes.json.gz), and assumed of all kernels.
Loads Costs::over_link(const Load& load, const Task& task) const {
  const std::uint64_t in = task.traffic.in, out = task.traffic.out;
  if (in == 0 && out == 0) return {load};
  const auto& engine = profile_.engine;
  const double held = std::min(task.fill, 1.0), read_us = engine.mapped_read_us.value_or(1.5);
  const double latency_us = in > 0 ? read_us : 0;
  const double under_way = held * threads_of_sm * profile_.multiprocessors * bytes_under_way;
  const double least_us =
      in > 0 ? std::min(read_us * static_cast<double>(in) / under_way, longest_operation_us) : 0;
  const double wave = 1 / std::max(task.fill, 1.0);
  // A thread works on what it reads before it writes. Further threads of an SM overlap that, and
  // all of a memset does.
  const double busy = task.fill * threads_of_sm / busy_threads;
  const double alone_us = task.kind == Kind::memset ? 0 : load.us / std::max(busy, 1.0);
  if (in == 0 || out == 0) {
    const double link_us = us_at(engine.mapped_in_gbps.value_or(engine.in_gbps), in) +
                           us_at(engine.mapped_out_gbps.value_or(engine.out_gbps), out);
    const double us = std::max(std::max(link_us + latency_us, least_us) + alone_us, load.us);
    const double holds = std::max(load.share * load.us / us, held);
    return {{us, holds, in > 0 ? link_us / us : 0, out > 0 ? link_us / us : 0}};
  }
  const double in_us = wave * us_at(engine.in_gbps, in),
               out_us = wave * us_at(engine.out_gbps, out);
  const double both_us = (1 - wave) * us_at(mapped_both(), std::max(in, out));
  const double first_us = std::max(in_us + latency_us, least_us);
  const double us = std::max(both_us + alone_us, load.us - first_us);
  const double works = load.share * load.us / (first_us + us), holds = std::max(works, held);
  const double both = us > 0 ? both_us / us * mapped_both() : 0;
  return {{out_us, works, 0, 1},
          {us, holds, both / engine.in_gbps, both / engine.out_gbps},
          {first_us, holds, in_us / first_us, 0}};
}

/// Returns the rate each way of kernels that read and write at once.
double Costs::mapped_both() const {
  const auto& engine = profile_.engine;
  return engine.mapped_both_gbps.value_or(std::min(engine.duplex_in_gbps, engine.duplex_out_gbps));
}

double Costs::duplex_speed(Engine copies) const {
  const auto& engine = profile_.engine;
  const double speed = copies == Engine::copy_in ? engine.duplex_in_gbps / engine.in_gbps
                                                 : engine.duplex_out_gbps / engine.out_gbps;
  return std::min(speed, 1.0);
}

}  // namespace trilane::simulator
