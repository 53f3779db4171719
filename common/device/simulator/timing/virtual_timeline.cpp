#include "common/device/simulator/timing/virtual_timeline.hpp"

namespace trilane::simulator {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// The looks along a graph's path of which the model knows when they are. Each inherits the errors
// of those before it, so the following ones are late by half an interval, their mean.
constexpr std::uint32_t known_looks = 2;

/// Returns the speed of a direction relative to the demand on it, with demand on both. `rate` is
/// that of the link, relative to the profile.
double link_speed(double rate, double duplex_speed, double asked, double asked_back) {
  if (asked <= 0) return 1;
  const double lost = (1 - duplex_speed) * std::min(asked_back, 1.0);
  return std::min(1.0, rate * (1 - lost) / asked);
}

}  // namespace

bool Timeline::Later::operator()(const OperationPtr& one, const OperationPtr& other) const {
  return std::pair(one->timing.ready_us, one->number) >
         std::pair(other->timing.ready_us, other->number);
}

Timeline::Timeline(const Profile& profile, const std::vector<double>& copy_rates)
    : costs_(profile) {
  for (const double rate : copy_rates) devices_.push_back({.copy_rate = rate});
}

void Timeline::enqueue(const OperationPtr& operation) {
  Timing& timing = operation->timing;
  timing.begins_launch =
      operation->launch != 0 && !includes(operation->after, operation->launch, &Operation::launch);
  spend(costs_.host_us(*operation));
  operation->issued_us = host_us_;
  timing.kind = costs_.kind_seen(*operation);
  const bool is_stage = timing.kind.has_value();
  timing.ready_us = operation->issued_us + costs_.start_us(*operation);
  double latest_us = -1;
  for (const OperationPtr& before : operation->after) {
    if (!before->finished()) {
      before->timing.next.push_back(operation.get());
      ++timing.waits_for;
    } else {
      start_after(*operation, *before);
    }
    if (!is_stage && before->finished_us >= latest_us) timing.kind = before->timing.kind;
    latest_us = std::max(latest_us, before->finished_us);
  }
  unfinished_.emplace(operation->number, operation);
  if (timing.waits_for == 0) become_ready(operation);
}

void Timeline::start_after(Operation& operation, const Operation& before) const {
  if (before.finished_us <= operation.issued_us) return;
  const auto kind = operation.timing.kind;
  const bool batched = operation.task->batched.value_or(0) > 0;
  if (!batched && before.timing.kind && before.timing.kind != kind) {
    operation.timing.waits_for_engine = true;
  }
  double& ready_us = operation.timing.ready_us;
  const std::optional<double> look_us = costs_.look_us(before, operation);
  const bool in_graph = operation.launch != 0 && operation.launch == before.launch;
  Timing& timing = operation.timing;
  if (in_graph) timing.looks = std::max(timing.looks, before.timing.looks);
  if (!look_us || (!in_graph && is_asked_by_others(operation))) {
    ready_us = std::max(ready_us, before.finished_us + costs_.latency_us(before, operation));
    return;
  }
  timing.looks = std::max(timing.looks, before.timing.looks + 1);
  if (in_graph && timing.looks > known_looks) {
    ready_us = std::max(ready_us, before.finished_us + *look_us / 2);
    return;
  }
  const double first_us = operation.issued_us + costs_.start_us(operation);
  const double looks = std::ceil(std::max(0.0, before.finished_us - first_us) / *look_us);
  ready_us = std::max(ready_us, first_us + looks * *look_us);
}

/// Returns true if another stream has work for the engine, which then alternates and polls sooner.
bool Timeline::is_asked_by_others(const Operation& operation) const {
  const Engine engine = engine_of(*operation.task);
  return std::ranges::any_of(unfinished_, [&](const auto& entry) {
    const Operation& other = *entry.second;
    return other.stream != operation.stream && engine_of(*other.task) == engine &&
           other.task->device == operation.task->device;
  });
}

void Timeline::become_ready(const OperationPtr& operation) {
  if (operation->task->kind != Kind::host_function) ready_.push(operation);
}

void Timeline::host_function_returned(Operation& operation) {
  run_until(operation.after);  // it cannot have begun earlier
  while (next_event() < host_us_) advance_to(next_event());
  advance_to(std::max(host_us_, device_us_));
  finish(OperationPtr(unfinished_.at(operation.number)));
  dispatch();
}

void Timeline::run_until(const Frontier& targets) {
  for (const OperationPtr& target : targets) {
    while (!target->finished()) {
      const double next = next_event();
      if (next == never) throw std::logic_error("waiting for an operation that cannot finish");
      advance_to(next);
    }
  }
}

void Timeline::set_speeds() {
  double all_in = 0, all_out = 0;
  for (Engines& device : devices_) {
    device.ask(costs_);
    all_in += std::min(device.asked_in, 1.0);
    all_out += std::min(device.asked_out, 1.0);
  }
  for (Engines& device : devices_) {
    device.set_speeds(costs_, costs_.host_speed(all_in), costs_.host_speed(all_out));
  }
}

/// Shares the SMs and the kernels' port, and sums up what the running operations ask of the link.
void Timeline::Engines::ask(const Costs& costs) {
  share_sms();
  double asked = 0, count = 0;
  for (const Running& running : sms) {
    asked += running.load().port() * running.speed;
    count += running.load().kernels();
  }
  const double speed = asked > 0 ? costs.port(count) / asked : 1;
  for (Running& running : sms) {
    if (speed < 1 && running.load().port() > 0) running.speed *= speed;
  }
  asked_in = in.running.empty() ? 0 : 1;
  asked_out = out.running.empty() ? 0 : 1;
  for (const Running& running : sms) {
    asked_in += running.load().in * running.speed;
    asked_out += running.load().out * running.speed;
  }
}

void Timeline::Engines::set_speeds(const Costs& costs, double host_in, double host_out) {
  const double speed_in =
      link_speed(copy_rate * host_in, costs.duplex_speed(Engine::copy_in), asked_in, asked_out);
  const double speed_out =
      link_speed(copy_rate * host_out, costs.duplex_speed(Engine::copy_out), asked_out, asked_in);
  if (!in.running.empty()) in.running[0].speed = speed_in;
  if (!out.running.empty()) out.running[0].speed = speed_out;
  for (Running& running : sms) {
    running.speed *=
        std::min(running.load().in > 0 ? speed_in : 1, running.load().out > 0 ? speed_out : 1);
  }
}

void Timeline::Engines::share_sms() {
  double free = 1;
  for (Running& running : sms) {
    const double taken = std::min(running.load().share, free);
    running.speed = running.load().share > 0 ? taken / running.load().share : 1;
    free -= taken;
  }
}

/// Returns the end if nothing changes; rounding may put it slightly before now.
double Timeline::end_of(const Running& running) const {
  return running.speed > 0 ? device_us_ + running.left_us / running.speed : never;
}

double Timeline::next_event() {
  double next = ready_.empty() ? never : ready_.top()->timing.ready_us;
  for (Engines& device : devices_) {
    if (!device.kernels.empty()) next = std::min(next, device.next_kernel_us);
    for (const CopyEngine* engine : device.copies()) next = std::min(next, next_start_us(*engine));
    for (const auto* engine : device.all()) {
      for (const Running& running : *engine) next = std::min(next, end_of(running));
    }
  }
  return std::max(next, device_us_);
}

void Timeline::advance_to(double us) {
  for (Engines& device : devices_) {
    for (CopyEngine* engine : device.copies()) {
      if (!engine->running.empty()) engine->busy_us = us;
    }
    for (auto* engine : device.all()) {
      for (Running& running : *engine) running.left_us -= (us - device_us_) * running.speed;
    }
  }
  device_us_ = us;
  for (Engines& device : devices_) {
    for (auto* engine : device.all()) {
      // In the order of their starts, so that ties always give the same result.
      for (Running& running : *engine) {
        if (end_of(running) > device_us_) continue;
        running.loads.pop_back();
        if (running.loads.empty()) {
          finish(running.operation);
        } else {
          running.left_us = running.load().us;
        }
      }
      std::erase_if(*engine, [](const Running& running) { return running.operation->finished(); });
    }
  }
  dispatch();
}

void Timeline::dispatch() {
  while (!ready_.empty() && ready_.top()->timing.ready_us <= device_us_) {
    const OperationPtr operation = ready_.top();
    ready_.pop();
    Engines& device = devices_.at(static_cast<std::size_t>(operation->task->device));
    switch (engine_of(*operation->task)) {
      case Engine::copy_in: device.in.ready.push_back(operation); break;
      case Engine::copy_out: device.out.ready.push_back(operation); break;
      case Engine::peer: device.peer.ready.push_back(operation); break;
      case Engine::sms: device.kernels.push_back(operation); break;
      default: finish(operation);
    }
  }
  for (Engines& device : devices_) {
    for (CopyEngine* engine : device.copies()) start_copies(*engine);
    start_kernels(device);
  }
  set_speeds();
}

/// Returns the earliest start of the next copy that is ready; never, without one or while one runs.
double Timeline::next_start_us(const CopyEngine& engine) const {
  if (engine.ready.empty() || !engine.running.empty()) return never;
  return engine.busy_us + costs_.turn_us(*engine.ready.front());
}

void Timeline::start_copies(CopyEngine& engine) {
  if (next_start_us(engine) > device_us_) return;
  start(engine.running, engine.ready.front());
  engine.ready.pop_front();
}

/// Kernels from streams start at a minimum distance, those of graphs do not.
void Timeline::start_kernels(Engines& device) {
  while (!device.kernels.empty()) {
    const OperationPtr operation = device.kernels.front();
    const bool spaced = operation->task->kind == Kind::kernel && operation->launch == 0;
    if (spaced && device_us_ < device.next_kernel_us) return;
    if (spaced) device.next_kernel_us = device_us_ + costs_.kernel_spacing_us();
    device.kernels.pop_front();
    start(device.sms, operation);
  }
}

void Timeline::start(std::vector<Running>& engine, const OperationPtr& operation) {
  operation->started_us = device_us_;
  Running& running = engine.emplace_back(operation, costs_.loads(*operation));
  running.left_us = running.load().us;
}

void Timeline::finish(const OperationPtr& operation) {
  operation->finished_us = device_us_;
  for (Operation* next : std::exchange(operation->timing.next, {})) {
    Timing& timing = next->timing;
    start_after(*next, *operation);
    if (!costs_.kind_seen(*next)) timing.kind = operation->timing.kind;
    if (--timing.waits_for == 0) become_ready(unfinished_.at(next->number));
  }
  unfinished_.erase(operation->number);
}

double Timeline::time_of(const Frontier& targets, double issued_us) {
  run_until(targets);
  for (const OperationPtr& target : targets) issued_us = std::max(issued_us, target->finished_us);
  return issued_us;
}

}  // namespace trilane::simulator
