// Faults in every runtime call of every variant's set-up, first three passes and tear-down. Each
// call fails with two of five codes, in the long form with all, in a run that measures two
// workloads. A table has the expected consequences.
#include <driver_types.h>
#include <unistd.h>

#include "common/measure/gpu/lanes.hpp"
#include "common/measure/harness/cuda_bench.hpp"
#include "common/model/variant/variant.hpp"
#include "tests/base/long_form.hpp"
#include "tests/device/simulator/faults/fault_places.hpp"
#include "tests/device/simulator/faults/faulted_runs.hpp"
#include "tests/device/simulator/faults/holdings.hpp"
#include "tests/device/simulator/faults/redirected.hpp"

namespace trilane::simulator {

namespace {

/// How a fault is reported, and what becomes of the workload that it hit.
enum class Told {
  fails,       ///< the variant fails with it, all others are measured
  loses,       ///< the variant fails with it, no other one is measured to the end
  loses_late,  ///< all were measured to the end; the variant fails with it
  warned,      ///< one line on standard error; all are measured
  nowhere,     ///< its result does not matter; all are measured
};

struct Cell {
  int exit_code;
  Told told;
};

/// A code that calls fail with.
struct Column {
  cudaError_t code;
  bool sticky;
  const char* message;  ///< as reported; ", at FILE:LINE" follows
};

const std::vector<Column>& columns() {
  static const std::vector<Column> all{
      {cudaErrorMemoryAllocation, false, "cudaErrorMemoryAllocation (2): out of memory"},
      {cudaErrorIllegalAddress, true,
       "cudaErrorIllegalAddress (700): an illegal memory access was encountered"},
      {cudaErrorLaunchFailure, true, "cudaErrorLaunchFailure (719): unspecified launch failure"},
      {cudaErrorStreamCaptureInvalidated, false,
       "cudaErrorStreamCaptureInvalidated (901): operation failed due to a previous error during "
       "capture"},
      {cudaErrorSystemNotReady, false, "cudaErrorSystemNotReady (802): system not yet initialized"},
  };
  return all;
}

Cell expected(const FaultPlace& place, std::size_t column) {
  using enum Told;
  struct Row {
    Part part;
    std::string_view name;  // of the runtime function; empty: all not named by an earlier row
    Cell cells[5];
  };
  // A variant with too little memory makes the exit code 4, any other failure 1.
  //
  // A sticky error counts against the variant even if a mere release returns it. It may come from
  // the variant's work, because these calls "may also return error codes from previous,
  // asynchronous launches" (CUDA Runtime API); and the process "must be terminated and relaunched"
  // (cudaError).
  //
  // Two calls of the tear-down matter to nobody: the wait, because releasing memory waits again,
  // and the device's number, without which graphs keep the memory that they have reserved.
  // clang-format off
  static constexpr Row table[] = {
      // memory       illegal address  launch failure   invalidated    not ready
      {Part::set_up, "cudaStreamDestroy",
       {{0, warned},  {1, loses},      {1, loses},      {0, warned},   {0, warned}}},
      {Part::set_up, "",
       {{4, fails},   {1, loses},      {1, loses},      {1, fails},    {1, fails}}},
      {Part::pass, "cudaGraphDestroy",
       {{0, warned},  {1, loses},      {1, loses},      {0, warned},   {0, warned}}},
      {Part::pass, "",
       {{4, fails},   {1, loses},      {1, loses},      {1, fails},    {1, fails}}},
      {Part::tear_down, "cudaDeviceSynchronize",
       {{0, nowhere}, {1, loses_late}, {1, loses_late}, {0, nowhere},  {0, nowhere}}},
      {Part::tear_down, "cudaGetDevice",
       {{0, nowhere}, {1, loses_late}, {1, loses_late}, {0, nowhere},  {0, nowhere}}},
      {Part::tear_down, "",
       {{0, warned},  {1, loses_late}, {1, loses_late}, {0, warned},   {0, warned}}},
  };
  // clang-format on
  const auto row = std::ranges::find_if(table, [&](const Row& candidate) {
    return candidate.part == place.part && (candidate.name.empty() || candidate.name == place.name);
  });
  return row->cells[column];
}

std::vector<std::string> warnings(const std::string& err) {
  std::vector<std::string> lines;
  std::istringstream stream(err);
  for (std::string line; std::getline(stream, line);) {
    if (line.find("warning") != line.npos) lines.push_back(line);
  }
  return lines;
}

/// Returns true if `text` is `start` and then where it happened.
bool names_place(const std::string& text, const std::string& start) {
  static const std::regex place(", at [a-z_]+\\.[ch]pp:[1-9][0-9]*");
  return text.starts_with(start) && std::regex_match(text.substr(start.size()), place);
}

void check_bystander(const Fate& fate, const std::string& culprit, Told told) {
  BOOST_TEST_CONTEXT(fate.variant << ": " << fate.message) {
    if (told == Told::loses) {
      BOOST_TEST((fate.status == Status::not_run));
      BOOST_TEST(fate.message == "not run to the end: the error of " + culprit +
                                     " leaves the GPU unusable for this process");
      return;
    }
    BOOST_TEST((fate.status == Status::ok));
    BOOST_TEST(fate.message == "");
    BOOST_TEST(fate.measured);
  }
}

void check_all_measured(const std::vector<Fate>& fates) {
  BOOST_TEST(fates.size() == registry().size());
  for (const Fate& fate : fates) check_bystander(fate, "", Told::nowhere);
}

void check_second(const Ending& ending, const FaultPlace& place, const Column& column, Told told) {
  const bool lost = told == Told::loses || told == Told::loses_late;
  const bool blamed = lost || told == Told::fails;
  BOOST_TEST((ending.stopped == "lost") == lost);
  BOOST_TEST(ending.second.size() == registry().size());
  for (const Fate& fate : ending.second) {
    if (!blamed || fate.variant != place.variant) {
      check_bystander(fate, place.variant, told);
      continue;
    }
    const bool memory = column.code == cudaErrorMemoryAllocation;
    BOOST_TEST((fate.status == (memory ? Status::out_of_memory : Status::failed)));
    BOOST_TEST(names_place(fate.message, column.message), fate.message);
  }
}

void check_warnings(const Ending& ending, const Column& column, Told told) {
  const std::vector<std::string> lines = warnings(ending.err);
  // After a sticky error releases fail, which is reported once.
  BOOST_TEST(lines.size() == (told == Told::warned || column.sticky ? 1u : 0u));
  for (const std::string& line : lines) {
    const std::string start = "trilane: warning: a release failed: ";
    BOOST_TEST(names_place(line, start + column.message), line);
  }
}

void check_machine(const Ending& ending, const FaultPlace& place, const Column& column,
                   Alive& alive) {
  // After a sticky error nothing can be released or made: live objects stay.
  const Holdings left =
      column.sticky ? alive.after(place.call - 1, machine().calls) : held_by(place);
  BOOST_TEST(text_of(holdings_of(ending.leaks)) == text_of(left));
  if (!column.sticky) BOOST_TEST(ending.captures == 0u);
  BOOST_TEST(ending.then == (column.sticky ? column.code : cudaSuccess));
}

void check_fault(const Ending& ending, const FaultPlace& place, std::size_t index, Alive& alive) {
  const Column& column = columns()[index];
  BOOST_TEST_CONTEXT(place.variant << ", " << name_of(place.part) << ", call " << place.call << " "
                                   << place.name << ": " << column.message) {
    BOOST_TEST(ending.broken == "");
    if (!ending.broken.empty()) return;
    const auto [exit_code, told] = expected(place, index);
    BOOST_TEST(ending.faulted == place.name);
    BOOST_TEST(ending.exit_code == exit_code);
    check_all_measured(ending.first);
    BOOST_TEST(ending.first_intact);
    check_second(ending, place, column, told);
    check_warnings(ending, column, told);
    check_machine(ending, place, column, alive);
  }
}

/// Makes the call fail that comes `calls` after the last one.
void fail_later(std::uint64_t calls, cudaError_t code) {
  machine().settings.fault = Fault{machine().calls.size() + calls, code};
}

Workload tiny() {
  Workload workload = presets().front();
  workload.bytes = 2 * workload.chunk_bytes;
  return workload;
}

void check_sound(const Ending& ending) {
  BOOST_TEST_REQUIRE(ending.broken == "");
  BOOST_TEST(ending.exit_code == 0);
  check_all_measured(ending.first);
  check_all_measured(ending.second);
  BOOST_TEST(warnings(ending.err).empty());
  BOOST_TEST(ending.leaks.empty());
}

/// Returns the columns that are tried at a place: all in the long form, otherwise one of the sticky
/// codes and one of the others, in turn.
std::vector<std::size_t> columns_at(std::size_t place) {
  std::vector<std::size_t> sticky, others;
  for (std::size_t i = 0; i < columns().size(); ++i) {
    (columns()[i].sticky ? sticky : others).push_back(i);
  }
  if (!in_long_form()) return {sticky[place % sticky.size()], others[place % others.size()]};
  sticky.insert(sticky.end(), others.begin(), others.end());
  return sticky;
}

void check_every_call(Part part, const std::vector<VariantEntry>& variants) {
  FaultedRuns runs(part, variants);
  check_sound(runs.sound());
  const std::vector<Ending> endings = runs.with_faults([](std::size_t place) {
    std::vector<cudaError_t> codes;
    for (const std::size_t column : columns_at(place)) codes.push_back(columns()[column].code);
    return codes;
  });
  Alive alive;
  std::size_t run = 0;
  for (std::size_t place = 0; place < runs.places().size(); ++place) {
    for (const std::size_t column : columns_at(place)) {
      BOOST_TEST_REQUIRE(run < endings.size());
      check_fault(endings[run++], runs.places()[place], column, alive);
    }
  }
  BOOST_TEST(run == endings.size());
  for (const VariantEntry& entry : variants) {
    const auto is_its = [&](const FaultPlace& place) { return place.variant == entry.name; };
    BOOST_TEST(std::ranges::any_of(runs.places(), is_its), entry.name << " has no call there");
  }
  restart({.profile = built_in_profile(), .fault = {}});
}

/// The suites below have one group each.
constexpr std::size_t groups = 6;

void check_group(std::size_t group) {
  const std::vector<std::vector<VariantEntry>> all = groups_of_variants();
  BOOST_TEST_REQUIRE(all.size() == groups);
  for (const Part part : {Part::set_up, Part::pass, Part::tear_down}) {
    check_every_call(part, all[group]);
  }
}

}  // namespace

// A suite for each group of variants, so that ctest runs them in parallel.
#define TRILANE_FAULTS(suite, group)                                          \
  BOOST_AUTO_TEST_SUITE(suite)                                                \
  BOOST_AUTO_TEST_CASE(every_call_fails_once_or_more) { check_group(group); } \
  BOOST_AUTO_TEST_SUITE_END()
TRILANE_FAULTS(faults_1, 0)
TRILANE_FAULTS(faults_2, 1)
TRILANE_FAULTS(faults_3, 2)
TRILANE_FAULTS(faults_4, 3)
TRILANE_FAULTS(faults_5, 4)
TRILANE_FAULTS(faults_6, 5)

BOOST_AUTO_TEST_SUITE(faults)

BOOST_AUTO_TEST_CASE(a_sticky_code_is_returned_by_every_later_call) {
  const Redirected err(STDERR_FILENO);
  for (const VariantEntry& entry : registry()) {
    for (const cudaError_t code : {cudaErrorIllegalAddress, cudaErrorLaunchFailure}) {
      restart({.profile = built_in_profile(), .fault = {}});
      CudaBench bench(tiny(), {entry}, 1);
      bench.set_up(0);
      fail_later(2, code);  // in the first pass: even a graph's has two calls, launch and wait
      const auto has_code = [&](const CudaError& error) { return error.code() == code; };
      BOOST_TEST_CONTEXT(entry.name << ", " << code) {
        for (int again = 0; again < 2; ++again) {
          BOOST_CHECK_EXCEPTION(bench.pass(0), CudaError, has_code);
          BOOST_CHECK_EXCEPTION(bench.check(0, 1), CudaError, has_code);
          BOOST_CHECK_EXCEPTION(bench.sample(0, 1), CudaError, has_code);
          BOOST_CHECK_EXCEPTION(CudaBench(tiny(), {entry}, 1), CudaError, has_code);
          BOOST_TEST(cudaGetLastError() == code);
        }
        BOOST_CHECK_EXCEPTION(bench.tear_down(0), CudaError, has_code);
        BOOST_TEST(bench.lost());
      }
    }
  }
  restart({.profile = built_in_profile(), .fault = {}});
}

BOOST_AUTO_TEST_CASE(an_error_on_any_host_thread_reaches_submit) {
  const Redirected err(STDERR_FILENO);
  for (const VariantEntry& entry : registry()) {
    if (entry.plan(tiny()).host_threads == 0) continue;
    std::uint64_t calls_of_a_pass = 2;  // of a checked one, which also has a query
    for (std::uint64_t call = 1; call < calls_of_a_pass; ++call) {
      restart({.profile = built_in_profile(), .fault = {}});
      CudaBench bench(tiny(), {entry}, 1);
      bench.set_up(0);
      const std::uint64_t before = machine().calls.size();
      BOOST_TEST(bench.check(0, 1) == "");
      calls_of_a_pass = machine().calls.size() - before;
      fail_later(call, cudaErrorSystemNotReady);
      const auto has_code = [](const CudaError& e) { return e.code() == cudaErrorSystemNotReady; };
      BOOST_TEST_CONTEXT(entry.name << ", call " << call) {
        BOOST_CHECK_EXCEPTION(bench.pass(0), CudaError, has_code);
        bench.lost();
        check(cudaDeviceSynchronize());
        BOOST_TEST(bench.check(0, 1) == "");  // the crew still serves, and nothing is left over
        bench.tear_down(0);
      }
    }
    BOOST_TEST(calls_of_a_pass > 10u);
  }
  restart({.profile = built_in_profile(), .fault = {}});
}

BOOST_AUTO_TEST_CASE(a_set_up_of_host_threads_that_fails_ends) {
  const Redirected err(STDERR_FILENO);
  for (const VariantEntry& entry : registry()) {
    if (entry.plan(tiny()).host_threads == 0) continue;
    std::uint64_t calls_of_a_set_up = 1;
    for (std::uint64_t call = 1; call <= calls_of_a_set_up; ++call) {
      restart({.profile = built_in_profile(), .fault = {}});
      CudaBench bench(tiny(), {entry}, 1);
      const std::uint64_t before = machine().calls.size();
      bench.set_up(0);
      calls_of_a_set_up = machine().calls.size() - before;
      bench.tear_down(0);
      fail_later(call, cudaErrorSystemNotReady);
      BOOST_TEST_CONTEXT(entry.name << ", call " << call) {
        BOOST_CHECK_THROW(bench.set_up(0), CudaError);
        bench.lost();
        bench.set_up(0);
        BOOST_TEST(bench.check(0, 1) == "");
        bench.tear_down(0);
      }
    }
    BOOST_TEST(calls_of_a_set_up >= 10u);
  }
  restart({.profile = built_in_profile(), .fault = {}});
}

BOOST_AUTO_TEST_CASE(a_release_that_fails_is_warned_about_and_the_rest_is_released) {
  constexpr int lanes = 2, releases = 2 * lanes + 1;  // a stream and an event each, and the fork's
  for (int failing = 1; failing <= releases; ++failing) {
    restart({.profile = built_in_profile(), .fault = {}});
    const Redirected err(STDERR_FILENO);
    warn(cudaErrorUnknown);  // a warning that was the last one would not be repeated
    {
      const Lanes released(lanes);
      fail_later(failing, cudaErrorSystemNotReady);
    }
    BOOST_TEST_CONTEXT("release " << failing) {
      const std::vector<std::string> lines = warnings(err.text());
      BOOST_TEST_REQUIRE(lines.size() == 2u);
      BOOST_TEST(lines[1].find("cudaErrorSystemNotReady (802)") != std::string::npos);
      BOOST_TEST(lines[1].find("handles.hpp:") != std::string::npos);
      BOOST_TEST(machine().leaks().size() == 1u);
      BOOST_TEST(machine().calls.size() == 2u * releases);
    }
  }
  restart({.profile = built_in_profile(), .fault = {}});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator
