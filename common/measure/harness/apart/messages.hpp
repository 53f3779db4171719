// Requests of a comparison to a variant in a process of its own, and the answers.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "common/base/json/ranges.hpp"
#include "common/base/text/enumerators.hpp"
#include "common/measure/rounds/bench.hpp"
#include "common/model/variant/plan.hpp"

namespace trilane {

/// The first two concern the process; each other one is the function of Bench with that name.
enum class Ask {
  start,  ///< answered as soon as the process can open a workload
  open,   ///< a bench for the workload with the number `workload`
  set_up,
  pass,
  turn,
  check,
  evidence,
  tear_down,
};
BOOST_DESCRIBE_ENUM(Ask, start, open, set_up, pass, turn, check, evidence, tear_down)

struct WorkerRequest {
  Ask ask{};
  std::uint32_t workload = 0, rounds = 0;  ///< for open: its number, and its kernels' rounds
  TurnPlan turn{};                         ///< for turn; its batch also for check
};
BOOST_DESCRIBE_STRUCT(WorkerRequest, (), (ask, workload, rounds, turn))

/// The reason for a missing answer.
enum class WorkerFailure { none, error, out_of_memory, not_possible };
BOOST_DESCRIBE_ENUM(WorkerFailure, none, error, out_of_memory, not_possible)

struct WorkerReply {
  WorkerFailure failure = WorkerFailure::none;
  std::string text;  ///< of the failure, or the findings of check()
  double us = 0;
  std::vector<Sample> samples{};
  std::vector<Count> evidence{};
};
BOOST_DESCRIBE_STRUCT(WorkerReply, (), (failure, text, us, samples, evidence))
constexpr auto ranges(const WorkerReply*) {
  return std::tuple{Within<&WorkerReply::text>{text_range}};
}

}  // namespace trilane
