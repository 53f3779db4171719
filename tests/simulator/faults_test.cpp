// Faults: every runtime call of every variant's set-up, first three passes and tear-down is made to
// fail once with each of five codes, in a run that measures two workloads. What has to come of it
// stands in the table below.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <regex>
#include <sstream>
#include <string_view>

#include "common/gpu/lanes.hpp"
#include "common/harness/cuda_bench.hpp"
#include "common/simulator/error_codes.hpp"
#include "common/variant.hpp"
#include "tests/simulator/faulted_runs.hpp"
#include "tests/simulator/redirected.hpp"

using namespace trilane;
using namespace trilane::simulator;

namespace {

/// Who hears of a fault, and what becomes of the second workload.
enum class Told {
  fails,       ///< the variant fails with it, all others are measured
  loses,       ///< the variant fails with it, nobody else is measured to the end
  loses_late,  ///< everybody was measured to the end; the variant fails with it
  warned,      ///< one line on standard error; everybody is measured
  nowhere,     ///< its result does not matter; everybody is measured
};

struct Cell {
  int exit_code;
  Told told;
};

struct Column {
  cudaError_t code;
  const char* message;  ///< followed by ", at FILE:LINE"
};

const Column columns[] = {
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation (2): out of memory"},
    {cudaErrorIllegalAddress,
     "cudaErrorIllegalAddress (700): an illegal memory access was encountered"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure (719): unspecified launch failure"},
    {cudaErrorStreamCaptureInvalidated,
     "cudaErrorStreamCaptureInvalidated (901): operation failed due to a previous error during "
     "capture"},
    {cudaErrorSystemNotReady, "cudaErrorSystemNotReady (802): system not yet initialized"},
};

struct Row {
  Part part;
  const char* name;  ///< of the runtime function; empty: all that no row above names
  Cell cells[std::size(columns)];
};

using enum Told;

// A variant that fails makes the exit code 1 whatever the code: 4 is for workloads that are found
// too large before a variant is tried. The two in the middle are sticky: "To continue using CUDA,
// the process must be terminated and relaunched" (CUDA Runtime API, cudaError). They count against
// the variant even if a mere release returns them, for what broke may be its work: those calls "may
// also return error codes from previous, asynchronous launches".
const Row table[] = {
    // part, function       memory        illegal addr.    launch failure   invalidated   not ready
    {Part::set_up,
     "cudaStreamDestroy",
     {{0, warned}, {1, loses}, {1, loses}, {0, warned}, {0, warned}}},
    {Part::set_up, "", {{1, fails}, {1, loses}, {1, loses}, {1, fails}, {1, fails}}},
    {Part::pass, "", {{1, fails}, {1, loses}, {1, loses}, {1, fails}, {1, fails}}},
    {Part::tear_down,
     "cudaDeviceSynchronize",
     {{0, nowhere}, {1, loses_late}, {1, loses_late}, {0, nowhere}, {0, nowhere}}},
    {Part::tear_down,
     "cudaGetDevice",
     {{0, nowhere}, {1, loses_late}, {1, loses_late}, {0, nowhere}, {0, nowhere}}},
    {Part::tear_down,
     "",
     {{0, warned}, {1, loses_late}, {1, loses_late}, {0, warned}, {0, warned}}},
};

Cell expected(const FaultPlace& place, std::size_t column) {
  const auto row = std::ranges::find_if(table, [&](const Row& candidate) {
    return candidate.part == place.part &&
           (*candidate.name == '\0' || candidate.name == place.name);
  });
  return row->cells[column];
}

/// Pairs of calls, and what Machine::leaks() calls what they make and release.
struct Resource {
  const char *made_by, *released_by, *name;
};

const Resource resources[] = {
    {"cudaStreamCreateWithFlags", "cudaStreamDestroy", "stream"},
    {"cudaEventCreateWithFlags", "cudaEventDestroy", "event"},
    {"cudaStreamEndCapture", "cudaGraphDestroy", "graph"},
    {"cudaGraphInstantiate", "cudaGraphExecDestroy", "executable graph"},
    {"cudaMemPoolCreate", "cudaMemPoolDestroy", "pool"},
    {"cudaMallocFromPoolAsync", "cudaFreeAsync", "bytes of pool"},
    {"cudaMalloc", "cudaFree", "bytes of device memory"},
    {"cudaMallocHost", "cudaFreeHost", "bytes of pinned host memory"},
};

using Holdings = std::map<std::string, int>;  // by name, none that is zero

/// What is alive after more and more calls of a run in which all of them succeed.
class Alive {
 public:
  /// After the first `calls` of them, at least as many as the time before.
  const Holdings& after(std::uint64_t calls) {
    for (; seen_ < calls; ++seen_) see(machine().calls[seen_]);
    std::erase_if(alive_, [](const auto& holding) { return holding.second == 0; });
    return alive_;
  }

 private:
  void see(const std::string_view name) {
    if (name == "cudaStreamBeginCapture") capturing_ = true;
    if (name == "cudaStreamEndCapture") capturing_ = false;
    for (const auto& [made_by, released_by, what] : resources) {
      if (capturing_ && what == std::string_view("bytes of pool")) continue;
      if (name == made_by) ++alive_[what];
      if (name == released_by) --alive_[what];
    }
  }

  /// The first cudaFree is of null: it creates the context.
  Holdings alive_{{"bytes of device memory", 1}};
  std::uint64_t seen_ = 0;
  bool capturing_ = false;  // allocations are nodes, which are told with their graph
};

/// "stream 12" and "256 bytes of pool 3" without their numbers.
Holdings kinds_of(const std::vector<std::string>& leaks) {
  static const std::regex number("^[0-9]+ | [0-9]+$");
  Holdings leaked;
  for (const std::string& leak : leaks) ++leaked[std::regex_replace(leak, number, "")];
  return leaked;
}

/// What a failed release still holds. One that a capture takes is a node, and holds nothing.
Holdings held_by(const FaultPlace& place) {
  Holdings held;
  for (const Resource& resource : resources) {
    if (resource.released_by == place.name) held[resource.name] = 1;
  }
  if (place.name == "cudaFreeAsync" && place.part == Part::set_up) held.clear();
  return held;
}

std::string text_of(const Holdings& holdings) {
  std::string text;
  for (const auto& [name, count] : holdings) text += fmt::format("{} x {}; ", count, name);
  return text;
}

std::vector<std::string> warnings(const std::string& err) {
  std::vector<std::string> lines;
  std::istringstream stream(err);
  for (std::string line; std::getline(stream, line);) {
    if (line.find("warning") != line.npos) lines.push_back(line);
  }
  return lines;
}

/// Whether `text` is `start` and then where it happened.
bool names_place(const std::string& text, const std::string& start) {
  static const std::regex place(", at [a-z_]+\\.[ch]pp:[1-9][0-9]*");
  return text.starts_with(start) && std::regex_match(text.substr(start.size()), place);
}

void check_bystander(const Fate& fate, const std::string& culprit, Told told) {
  BOOST_TEST_CONTEXT(fate.variant << ": " << fate.message) {
    if (told == loses) {
      BOOST_TEST((fate.status == Status::not_run));
      BOOST_TEST(fate.message == "not run to its end: the error of " + culprit +
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
  for (const Fate& fate : fates) check_bystander(fate, "", nowhere);
}

void check_second(const Ending& ending, const FaultPlace& place, const Column& column, Told told) {
  const bool lost = told == loses || told == loses_late, blamed = lost || told == fails;
  BOOST_TEST((ending.stopped == "lost") == lost);
  BOOST_TEST(ending.second.size() == registry().size());
  for (const Fate& fate : ending.second) {
    if (!blamed || fate.variant != place.variant) {
      check_bystander(fate, place.variant, told);
      continue;
    }
    BOOST_TEST((fate.status == Status::failed));
    BOOST_TEST(names_place(fate.message, column.message), fate.message);
  }
}

void check_warnings(const Ending& ending, const Column& column, Told told) {
  const std::vector<std::string> lines = warnings(ending.err);
  const bool sticky = is_sticky(column.code);  // then releases fail, and that is told once
  BOOST_TEST(lines.size() == (told == warned || sticky ? 1u : 0u));
  for (const std::string& line : lines) {
    const std::string start = "trilane: warning: a release failed: ";
    BOOST_TEST(names_place(line, start + column.message), line);
  }
}

void check_machine(const Ending& ending, const FaultPlace& place, const Column& column,
                   Alive& alive) {
  const bool sticky = is_sticky(column.code);
  // After a sticky error nothing can be released or made: what was alive stays.
  const Holdings left = sticky ? alive.after(place.call - 1) : held_by(place);
  BOOST_TEST(text_of(kinds_of(ending.leaks)) == text_of(left));
  if (!sticky) BOOST_TEST(ending.captures == 0u);
  BOOST_TEST(ending.then == (sticky ? column.code : cudaSuccess));
}

void check_fault(const Ending& ending, const FaultPlace& place, std::size_t index, Alive& alive) {
  const Column& column = columns[index];
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

/// Lets a call that is `calls` later than the last one fail.
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

}  // namespace

BOOST_AUTO_TEST_SUITE(faults)

BOOST_AUTO_TEST_CASE(every_call_fails_once_with_every_code) {
  FaultedRuns runs;
  check_sound(runs.sound());
  std::vector<cudaError_t> codes;
  for (const Column& column : columns) codes.push_back(column.code);
  const std::vector<Ending> endings = runs.with_faults(codes);
  fmt::print("faults: {} calls, each with {} codes: {} runs\n", runs.places().size(), codes.size(),
             endings.size());
  BOOST_TEST_REQUIRE(endings.size() == runs.places().size() * codes.size());
  BOOST_TEST(endings.size() >= 500u);
  Alive alive;
  for (std::size_t i = 0; i < endings.size(); ++i) {
    check_fault(endings[i], runs.places()[i / codes.size()], i % codes.size(), alive);
  }
  restart({.profile = built_in_profile(), .fault = {}});
}

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

BOOST_AUTO_TEST_CASE(a_release_that_fails_is_warned_about_and_the_rest_is_released) {
  constexpr int lanes = 2, releases = 2 * lanes + 1;  // a stream and an event each, and the fork's
  for (int failing = 1; failing <= releases; ++failing) {
    restart({.profile = built_in_profile(), .fault = {}});
    const Redirected err(STDERR_FILENO);
    warn(cudaErrorUnknown);  // a warning that was the last one would not be told again
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
