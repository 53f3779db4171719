#include "common/device/simulator/timing/schedule.hpp"

namespace trilane::simulator {

Schedule::~Schedule() {
  // One by one: otherwise a long chain would be destroyed recursively through `after`.
  for (const OperationPtr& operation : pending_) operation->after.clear();
}

void Schedule::add(OperationPtr operation) {
  Waiting& waiting = operation->waiting;
  for (const OperationPtr& before : operation->after) {
    if (before->done) continue;
    before->waiting.next.push_back(operation.get());
    ++waiting.waits_for;
  }
  if (waiting.waits_for == 0) make_ready(*operation);
  waiting.place = pending_.size();
  pending_.push_back(std::move(operation));
}

void Schedule::make_ready(Operation& operation) {
  ready_.insert(std::ranges::upper_bound(ready_, operation.number, {}, &Operation::number),
                &operation);
}

void Schedule::run_until(const Frontier& targets, Draw& draw) {
  for (const OperationPtr& target : targets) {
    while (!target->done) {
      if (!step(draw)) throw std::logic_error("waiting for an operation that was never added");
    }
  }
}

bool Schedule::step(Draw& draw, const std::function<bool(const Operation&)>& may_run) {
  const auto eligible = [&](const Operation* operation) { return may_run(*operation); };
  const auto count = static_cast<std::size_t>(std::ranges::count_if(ready_, eligible));
  if (count == 0) return false;
  std::size_t skip = count == 1 ? 0 : draw.next_operation(count);
  const auto chosen = std::ranges::find_if(
      ready_, [&](const Operation* operation) { return eligible(operation) && skip-- == 0; });
  Operation& operation = **chosen;
  ready_.erase(chosen);
  try {
    execute_(operation);
  } catch (...) {
    finish(operation);
    throw;
  }
  finish(operation);
  return true;
}

void Schedule::finish(Operation& operation) {
  const OperationPtr kept = pending_[operation.waiting.place];
  std::swap(pending_[operation.waiting.place], pending_.back());
  pending_[operation.waiting.place]->waiting.place = operation.waiting.place;
  pending_.pop_back();
  operation.done = true;
  for (Operation* next : operation.waiting.next) {
    if (--next->waiting.waits_for == 0) make_ready(*next);
  }
  operation.waiting.next = {};
  // A done operation must not keep its whole history alive.
  operation.after = {};
}

}  // namespace trilane::simulator
