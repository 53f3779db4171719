// Operations issued by hand, for tests of the parts below the runtime functions.
#pragma once

#include "common/device/simulator/hazards/hazards.hpp"
#include "tests/framework.hpp"

namespace trilane::simulator {

/// Returns an operation that has not been placed yet, at the end of `after`.
inline OperationPtr make_operation(std::uint64_t number, Frontier after = {}, Task task = {}) {
  auto operation = std::make_shared<Operation>();
  operation->number = number;
  operation->after = std::move(after);
  operation->task = std::make_shared<const Task>(std::move(task));
  return operation;
}

/// Lanes of operations in the order of their issue, placed and checked as by the machine.
struct Issuer {
  Memory memory{std::uint64_t{1} << 40};
  OperationOrder order;
  Hazards hazards;
  std::map<std::string, Frontier> tails;  ///< by lane
  std::uint64_t issued = 0;

  Block allocate(std::uint64_t bytes, Place place) {
    const Block block = memory.allocate(bytes, place).value();
    hazards.allocated(block);
    return block;
  }

  /// Issues at the end of `lane`, which must be waiting only for its tail.
  OperationPtr issue(const std::string& lane, std::string name, std::vector<Access> accesses,
                     Kind kind = Kind::kernel, bool pageable = false) {
    Task task;
    task.kind = kind;
    task.name = std::move(name);
    task.accesses = std::move(accesses);
    task.pageable = pageable;
    const OperationPtr operation = make_operation(++issued, tails[lane], std::move(task));
    operation->lane = lane;
    order.place(*operation);
    hazards.check(operation, memory);
    tails[lane] = {operation};
    return operation;
  }

  /// Orders the later operations of `lane` after `operation`.
  void wait(const std::string& lane, const OperationPtr& operation) {
    merge(tails[lane], {operation});
  }

  /// Returns the names of the hazards reported since the last call, in order, separated by a comma
  /// and a space.
  std::string take_names() {
    std::string names;
    for (const Report& report : hazards.reports()) {
      names += (names.empty() ? "" : ", ") + name_of(report.hazard);
    }
    hazards.clear();
    return names;
  }
};

/// Returns `bytes` bytes of a block, `offset` bytes after its first.
inline Range part_of(const Block& block, std::uint64_t offset, std::uint64_t bytes) {
  return {block.range.begin + offset, block.range.begin + offset + bytes};
}

/// Returns the description of device memory in reports.
inline std::string text_of(const Range& range) { return describe(range, Place::device); }

/// Memory of three sorts, and the lanes' actions on it.
struct IssuedLanes : Issuer {
  Block device = allocate(4096, Place::device), pinned = allocate(4096, Place::pinned);
  Block pool = allocate(4096, Place::pool);

  OperationPtr write(const std::string& lane, const Range& range) {
    return issue(lane, "memset", {{range, Touch::write}}, Kind::memset);
  }
  OperationPtr read(const std::string& lane, const Range& range) {
    return issue(lane, "kernel", {{range, Touch::read}});
  }
  OperationPtr take(const std::string& lane, const Range& range) {
    return issue(lane, "allocation", {{range, Touch::allocate}}, Kind::allocate);
  }
  OperationPtr give(const std::string& lane, const Range& range) {
    return issue(lane, "release", {{range, Touch::release}}, Kind::release);
  }
};

}  // namespace trilane::simulator
