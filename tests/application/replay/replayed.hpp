// Runs candidates of a program on the fake driver.
#pragma once

#include "common/application/replay/candidates.hpp"
#include "common/application/replay/replay_bench.hpp"
#include "tests/application/replay/fake/fake_program.hpp"

namespace trilane::fake {

constexpr std::size_t numbers = 256, bytes = 8 * numbers;

/// A kernel's body: the first argument's numbers become the second's plus the third argument.
inline void add_numbers(const Kernel::Words& words) {
  for (std::size_t i = 0; i < numbers; ++i) {
    numbers_at(words[0])[i] = numbers_at(words[1])[i] + words[2];
  }
}

inline std::uint64_t calls_of(const std::string& function) { return state().calls[function]; }

/// The result of one run of a candidate.
struct Ran {
  std::string wrong;  ///< worded by ReplayBench::check()
  std::vector<Count> evidence;
  std::vector<std::vector<std::byte>> outputs;  ///< what its copies left on the host
};

/// Issues a pass of the candidate.
inline void issue(Candidate& candidate) {
  double issuing_us = 0;
  candidate.run(issuing_us);
}

/// Returns what the iteration must leave: the memory's current content, and what the same calls
/// copy out.
inline Expected expected_now(const Taken& taken) {
  Snapshot after(taken.before.memory());
  const auto same = make_candidate(ReplayWay::calls, taken.iteration);
  taken.before.restore();
  same->restart();
  same->host().poison();
  issue(*same);
  TRILANE_DRIVER(cuCtxSynchronize);
  Snapshot outputs(same->outputs());
  return {.before = taken.before, .after = std::move(after), .outputs = std::move(outputs)};
}

inline Ran run(ReplayWay way, const Taken& taken, const Expected& expected) {
  ReplayBench bench(taken.iteration, {way}, expected);
  bench.set_up(0);
  Ran ran;
  ran.wrong = bench.check(0, 1);
  ran.evidence = bench.evidence(0);
  const auto candidate = make_candidate(way, taken.iteration);
  taken.before.restore();
  candidate->restart();
  candidate->host().poison();
  issue(*candidate);
  for (const MemoryFacts& memory : candidate->outputs()) {
    const auto* const content = reinterpret_cast<const std::byte*>(memory.base);
    ran.outputs.emplace_back(content, content + memory.bytes);
  }
  return ran;
}

inline Ran run(ReplayWay way, const Taken& taken) { return run(way, taken, expected_now(taken)); }

/// Returns the first number in each of the outputs.
inline std::set<std::uint64_t> first_numbers(const Ran& ran) {
  std::set<std::uint64_t> all;
  for (const auto& output : ran.outputs) {
    std::uint64_t first = 0;
    std::memcpy(&first, output.data(), sizeof first);
    all.insert(first);
  }
  return all;
}

/// Returns the name in messages of the memory that begins there: "device memory 3".
inline std::string name_of(std::uint64_t address, const Taken& taken) {
  const auto& all = taken.before.memory();
  const auto found = std::ranges::find(all, address, &MemoryFacts::base);
  return fmt::format("device memory {}", found - all.begin());
}

/// Returns true if a candidate's evidence matches its plan.
inline bool as_planned(ReplayWay way, const Taken& taken, const Ran& ran) {
  const Plan plan = plan_of(way, taken.iteration);
  return plan.facts.size() == ran.evidence.size() && mismatches(plan.facts, ran.evidence).empty();
}

/// Runs a candidate, which must leave the right bytes and do what its plan says.
inline Ran run_right(ReplayWay way, const Taken& taken) {
  Ran ran = run(way, taken);
  BOOST_TEST(ran.wrong == "");
  BOOST_TEST(as_planned(way, taken, ran));
  return ran;
}

inline bool has(const Ran& ran, const Count& fact) {
  return std::ranges::count(ran.evidence, fact) == 1;
}

}  // namespace trilane::fake

using namespace trilane::fake;
