#include "common/device/simulator/hazards/order.hpp"

namespace trilane::simulator {

namespace {

using Clock = std::vector<std::uint32_t>;

void join(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

bool reaches(const Clock& clock, std::uint32_t chain, std::uint32_t tick) {
  return chain < clock.size() && clock[chain] >= tick;
}

}  // namespace

void OperationOrder::place(Operation& operation) {
  Clock& clock = operation.position.clock;
  clock.reserve(last_.size() + 1);
  clock = host_;
  for (const OperationPtr& before : operation.after) join(clock, before->position.clock);
  const std::uint32_t chain = chain_for(operation);
  if (chain == last_.size()) last_.push_back(0);
  if (chain >= clock.size()) clock.resize(chain + 1);
  operation.position.chain = chain;
  operation.position.tick = clock[chain] = ++last_[chain];
}

std::uint32_t OperationOrder::chain_for(const Operation& operation) const {
  for (const OperationPtr& before : operation.after) {
    const Position& position = before->position;
    if (position.tick == last_[position.chain]) return position.chain;
  }
  const Clock& clock = operation.position.clock;
  std::uint32_t chain = 0;
  while (chain < clock.size() && clock[chain] < last_[chain]) ++chain;
  return chain < clock.size() ? chain : static_cast<std::uint32_t>(last_.size());
}

void OperationOrder::host_waited_for(const Operation& operation) {
  join(host_, operation.position.clock);
}

bool OperationOrder::before(const Position& first, const Position& second) {
  const bool same = first.chain == second.chain && first.tick == second.tick;
  return !same && reaches(second.clock, first.chain, first.tick);
}

bool OperationOrder::host_knows(const Position& position) const {
  return reaches(host_, position.chain, position.tick);
}

}  // namespace trilane::simulator
