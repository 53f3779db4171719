#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

Range range_of(const void* begin, std::uint64_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  return {address, address + bytes};
}

bool takes_pageable(const Task& task, Touch touch) {
  switch (task.kind) {
    case Kind::copy_in: return task.pageable && touch == Touch::read;
    case Kind::copy_out: return task.pageable && touch == Touch::write;
    case Kind::copy_within: return task.pageable;
    case Kind::host_function: return true;
    default: return false;
  }
}

bool all_done(const Frontier& operations) {
  return std::ranges::all_of(operations, [](const OperationPtr& one) { return one->done; });
}

std::string describe(const Operation& operation) {
  return fmt::format("{} ({}, operation {})", operation.task->name, operation.lane,
                     operation.number);
}

}  // namespace trilane::simulator
