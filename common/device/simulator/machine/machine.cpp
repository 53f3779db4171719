#include "common/device/simulator/machine/machine.hpp"

#include "common/device/simulator/machine/call.hpp"
#include "common/device/simulator/machine/graphs.hpp"
#include "common/device/simulator/machine/pool.hpp"

namespace trilane::simulator {

namespace {

/// The number of unsuccessful queries after which a query starts host functions.
constexpr std::size_t patient_polls = 1000;
/// The number after which an operation completes before its time.
constexpr std::size_t most_early_polls = 1'000'000;

/// Returns true if all that the task reads and writes is allocated, and its device may access it.
bool is_addressable(Machine& m, const Task& task) {
  return std::ranges::all_of(task.accesses, [&](const Access& access) {
    const Range range = access.span();
    const Touch touch = access.touch;
    if (touch == Touch::allocate || touch == Touch::release || range.size() == 0) return true;
    const Block block = m.memory.find(reinterpret_cast<const void*>(range.begin));
    if (block.place == Place::pageable) return takes_pageable(task, touch);
    if (task.kind == Kind::kernel && !m.may_access(task.device, block)) return false;
    return range.begin <= range.end && range.end <= block.range.end;
  });
}

}  // namespace

Machine::Machine(Settings given)
    : settings(std::move(given)),
      draw(std::make_unique<RandomDraw>(settings.seed)),
      memory(settings.profile.memory_bytes, settings.copy_rates.size()),
      timeline(settings.profile, settings.copy_rates),
      schedule([this](Operation& operation) { execute(operation); }),
      gpus(settings.copy_rates.size()) {
  for (int number = 0; Gpu & device : gpus) {
    device.number = device.legacy.device = device.default_pool.device = number++;
    if (device.number > 0) device.legacy.number = ++numbered;
  }
}

Gpu& Machine::gpu(int number, cudaError_t missing) {
  require(number >= 0 && static_cast<std::size_t>(number) < gpus.size(), missing);
  return gpus[static_cast<std::size_t>(number)];
}

Frontier Machine::under_way(int device) const {
  if (gpus.size() == 1) return under_way_;
  Frontier own;
  std::ranges::copy_if(under_way_, std::back_inserter(own),
                       [device](const auto& operation) { return operation->device == device; });
  // Streams may wait for work of other devices.
  merge(own, gpus[static_cast<std::size_t>(device)].legacy.tail);
  for (const auto& stream : streams) {
    if (stream->device == device) merge(own, stream->tail);
  }
  return own;
}

Frontier Machine::tail_of(const CUstream_st& stream) {
  // CUDA Runtime API, "Stream synchronization behavior", legacy default stream: it waits for all
  // blocking streams and they for it. CUDA Programming Guide, "Prohibited and Unhandled
  // Operations": therefore it must not be used while a blocking stream is capturing. CUDA C++
  // Programming Guide, "Stream and Event Behavior": each device has its own.
  Gpu& device = gpu_of(stream);
  Frontier tail = stream.tail;
  if (stream.blocking) merge(tail, device.legacy.tail);
  if (!is_legacy(stream)) return tail;
  merge(tail, device.destroyed_tails);
  bool captured = false;
  const auto join = [&](const CUstream_st& other) {
    if (!other.blocking || other.device != device.number) return;
    if (other.capture) captured = other.capture->invalidated = true;
    merge(tail, other.tail);
  };
  for (const auto& other : streams) join(*other);
  for (const auto& [thread, other] : device.per_thread) join(other);
  if (captured) refuse(cudaErrorStreamCaptureImplicit);
  return tail;
}

CUstream_st& Machine::default_of_thread() {
  CUstream_st& stream = gpu().per_thread[this_thread()];
  if (stream.number == 0) stream = {++numbered, gpu().number, true};
  return stream;
}

void Machine::enqueue(Task task, CUstream_st& stream) {
  if (stream.capture) return capture_node(*this, stream, std::move(task));
  stream.tail = {issue_on(stream, std::move(task), tail_of(stream))};
  if (is_legacy(stream)) gpu_of(stream).destroyed_tails.clear();
}

void Machine::enqueue_batch(std::vector<Task> tasks, CUstream_st& stream) {
  const Frontier before = tail_of(stream);
  Frontier all;
  for (Task& task : tasks) all.push_back(issue_on(stream, std::move(task), before));
  stream.tail = std::move(all);
}

void Machine::enqueue_alone(Task task, const std::set<int>& devices) {
  Frontier before;
  for (const int device : devices) {
    merge(before, tail_of(gpu(device).legacy));
    merge(before, under_way(device));
  }
  const Frontier alone{issue_on(gpu().legacy, std::move(task), before)};
  for (const int device : devices) gpu(device).legacy.tail = alone;
  for (const auto& stream : streams) {
    if (devices.contains(stream->device)) stream->tail = alone;
  }
}

bool Machine::may_access(int device, const Block& block) {
  if (!is_on_device(block.place) || block.device == device) return true;
  if (const std::set<int>* const shared = sharers_of(*this, block)) return shared->contains(device);
  return gpus[static_cast<std::size_t>(device)].peers.contains(block.device);
}

OperationPtr Machine::issue_on(const CUstream_st& stream, Task task, Frontier after) {
  make_room(stream);
  const auto operation = std::make_shared<Operation>();
  operation->after = std::move(after);
  operation->task = std::make_shared<const Task>(std::move(task));
  operation->lane = is_legacy(stream) ? "default stream" : fmt::format("stream {}", stream.number);
  if (gpus.size() > 1) operation->lane += fmt::format(" of device {}", stream.device);
  operation->stream = stream.number;
  operation->device = stream.device;
  operation->label = Labelled::current();
  issue(operation);
  queues_[stream.number].push_back(operation);
  return operation;
}

void Machine::issue(const OperationPtr& operation) {
  operation->number = ++issued;
  operation->moves_data = moves_data();
  operation->part = part_of_host();
  order.place(*operation);
  hazards.check(operation, memory);
  check_peer_access(*operation);
  timeline.enqueue(operation);
  if (operation->moves_data) watch.issued(operation, memory);
  if (operation->task->kind == Kind::host_function) ++host_functions_;
  under_way_.push_back(operation);
  schedule.add(operation);
  if (trace != nullptr) trace->issued(operation);
}

void Machine::check_peer_access(const Operation& operation) {
  const Task& task = *operation.task;
  if (task.kind != Kind::kernel) return;
  for (const Access& access : task.accesses) {
    const Block block = memory.find(reinterpret_cast<const void*>(access.range.begin));
    if (may_access(task.device, block)) continue;
    hazards.report(Hazard::no_access,
                   fmt::format("{} on device {} touches memory of device {}, which it may not "
                               "access: {}",
                               describe(operation), task.device, block.device,
                               describe(access.span(), block.place)));
  }
}

void Machine::refuse_task(Task task, const std::string& where) {
  const auto refused = std::make_shared<Operation>();
  refused->number = issued + 1;
  refused->task = std::make_shared<const Task>(std::move(task));
  refused->lane = "refused" + where;
  hazards.check(refused, memory);
  refuse(cudaErrorInvalidValue);
}

void Machine::make_room(const CUstream_st& stream) {
  std::deque<OperationPtr>& queue = queues_[stream.number];
  if (queue.size() < settings.queue_depth) return;
  const Frontier oldest{queue.front()};
  queue.pop_front();
  schedule.run_until(oldest, *draw);
  if (sticky != cudaSuccess) refuse(sticky);
  timeline.wait_for(oldest);
}

void Machine::wait_for(const Frontier& targets) {
  schedule.run_until(targets, *draw);
  if (sticky != cudaSuccess) refuse(sticky);
  timeline.wait_for(targets);
  host_waited_for(targets);
  pools_at_synchronisation(*this);
}

void Machine::host_waited_for(const Frontier& targets) {
  polls_ = 0;
  for (const OperationPtr& target : targets) order.host_waited_for(*target);
  watch.host_waited(order, hazards);
  const auto known = [this](const OperationPtr& operation) {
    return order.host_knows(operation->position);
  };
  for (auto& [stream, queue] : queues_) {
    while (!queue.empty() && known(queue.front())) queue.pop_front();
  }
  std::erase_if(under_way_, known);
  for (Gpu& device : gpus) std::erase_if(device.destroyed_tails, known);
  std::erase_if(kept_, [](const auto& kept) { return all_done(kept.first); });
}

void Machine::keep_until(const Frontier& work, std::shared_ptr<void> thing) {
  if (!all_done(work)) kept_.emplace_back(work, std::move(thing));
}

bool Machine::query(const Frontier& targets) {
  // A query starts no host function, because that might wait for this thread. But if a program
  // keeps polling, the host function must run eventually.
  if (host_functions_ > 0) ++polls_;
  const auto may_run = [this](const Operation& operation) {
    return operation.task->kind != Kind::host_function || polls_ > patient_polls;
  };
  while (!all_done(targets) && draw->may() && schedule.step(*draw, may_run)) continue;
  if (sticky != cudaSuccess) refuse(sticky);
  if (!all_done(targets)) return false;
  // Each call takes the host some time; if it takes none, patience ends nevertheless.
  const bool due = timeline.seen_us(targets) <= timeline.now();
  if (host_functions_ == 0 && !due && ++early_polls_ < most_early_polls) return false;
  early_polls_ = 0;
  timeline.wait_for(targets);
  host_waited_for(targets);
  return true;
}

void Machine::may_wait_for(const Frontier& targets) {
  if (!all_done(targets) && draw->may()) schedule.run_until(targets, *draw);
  if (sticky != cudaSuccess) refuse(sticky);
}

void Machine::clock_waits_for(const Frontier& targets) {
  if (host_functions_ == 0) timeline.wait_for(targets);
}

bool Machine::spend_for(const std::string& call) {
  const auto cost = settings.profile.calls_us.find(call);
  if (cost == settings.profile.calls_us.end()) return false;
  timeline.spend(cost->second);
  return true;
}

bool Machine::moves_data() const {
  const auto timed = timed_only.find(part_of_host());
  return timed == timed_only.end() || timed->second == 0;
}

void Machine::execute(Operation& operation) {
  hazards.found_for(operation.part);
  if (on_execute) on_execute(operation);
  const Task& task = *operation.task;
  if (task.kind == Kind::host_function) return run_host_function(operation);
  if (sticky != cudaSuccess) return;  // nothing runs after a sticky error
  if (!is_addressable(*this, task)) return lose(cudaErrorIllegalAddress);
  if (!operation.moves_data || !task.work) return;
  watch.before_work(operation, hazards);
  try {
    task.work();
  } catch (const Refusal& refusal) {
    lose(refusal.code);  // an error in a kernel
  }
  watch.after_work(operation);
}

void Machine::run_host_function(Operation& operation) {
  --host_functions_;
  // CUDA Runtime API, cudaLaunchHostFunc: not called in the event of an error in the context.
  if (sticky == cudaSuccess) {
    watch.before_work(operation, hazards);
    HostFunctionEnd end{.returned = true};
    try {
      end = simulator::run_host_function(operation.task->work, settings.patience_s);
    } catch (const std::system_error&) {
      lose(cudaErrorOperatingSystem);
    }
    watch.after_work(operation);
    for (const std::string& call : end.calls) {
      hazards.report(Hazard::api_in_host_function,
                     fmt::format("{} in {}", call, describe(operation)));
    }
    if (!end.returned) {
      hazards.report(Hazard::never_finishes, fmt::format("{} has not returned after {} s",
                                                         describe(operation), settings.patience_s));
      lose(cudaErrorLaunchTimeout);
    }
  }
  timeline.host_function_returned(operation);
}

}  // namespace trilane::simulator
