// Every planted mistake is reported by its right name, whatever order is drawn. Its repaired twin
// and the unmodified variants are not reported.
#include "tests/device/simulator/hazards/mistakes.hpp"

#include "common/device/simulator/machine/machine.hpp"
#include "common/measure/harness/cuda_bench.hpp"
#include "tests/variants/can_run.hpp"
#include "tests/variants/shapes.hpp"

namespace trilane::simulator {
using mistakes::Planted;

BOOST_AUTO_TEST_SUITE(planted_mistakes)

namespace {

constexpr std::uint64_t seeds = 20;

void start(std::uint64_t seed) {
  Settings settings;
  settings.profile = built_in_profile();
  settings.seed = seed;
  restart(std::move(settings));
}

/// A finding under its reported name.
struct Finding {
  std::string name, text;
};

/// Runs it on a fresh machine. The returned error counts if nothing was reported: data, for
/// example, is wrong in some orders only.
std::vector<Finding> run(const Planted& mistake, bool planted, std::uint64_t seed) {
  start(seed);
  std::string returned;
  try {
    returned = mistake.run(planted);
  } catch (const CudaError& error) {
    returned = error.what();
  }
  std::vector<Finding> findings;
  for (const Report& report : machine().hazards.reports()) {
    findings.push_back({name_of(report.hazard), report.text});
  }
  // On a lost device nothing can be released.
  if (machine().sticky == cudaSuccess) {
    for (const std::string& leak : machine().leaks()) findings.push_back({"leak", leak});
  }
  if (findings.empty() && !returned.empty()) findings.push_back({returned, ""});
  return findings;
}

std::string names_of(const std::vector<Finding>& findings) {
  std::set<std::string> names;
  for (const Finding& finding : findings) names.insert(finding.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string texts_of(const std::vector<Finding>& findings) {
  std::string texts;
  for (const Finding& finding : findings) texts += finding.name + ": " + finding.text + "\n";
  return texts;
}

bool says_all(const Finding& finding, const std::vector<std::string>& parts) {
  return std::ranges::all_of(
      parts, [&](const std::string& part) { return finding.text.find(part) != std::string::npos; });
}

/// Returns true if the text names what every report about memory must contain: the lanes and the
/// bytes.
bool names_lanes_and_range(const std::string& text) {
  static const std::regex range(": 0x[0-9a-f]+-0x[0-9a-f]+ \\([0-9]+ bytes of [a-z]+ memory\\)$");
  static const std::regex who(
      "(\\(.*(stream [0-9]+|default stream), operation [0-9]+\\)|cudaFree)");
  return std::regex_search(text, range) && std::regex_search(text, who);
}

bool is_about_memory(const std::string& name) {
  static const std::set<std::string> others{"never finishes", "API in host function", "leak",
                                            "wrong data", "cudaErrorStreamCaptureUnjoined"};
  return !others.contains(name);
}

void test_planted(const Planted& mistake, std::uint64_t seed) {
  const auto findings = run(mistake, true, seed);
  BOOST_TEST(names_of(findings) == mistake.reported);
  const bool said = std::ranges::any_of(
      findings, [&](const Finding& finding) { return says_all(finding, mistake.says); });
  BOOST_TEST(said, "reported is only\n" << texts_of(findings));
  for (const Finding& finding : findings) {
    if (!is_about_memory(finding.name)) continue;
    BOOST_TEST(names_lanes_and_range(finding.text), finding.text);
  }
}

std::uint64_t words_of(const Workload& workload) {
  return workload.bytes / sizeof(std::uint32_t) * workload.depth;
}

/// Does with a variant what the harness does: set-up, checked and timed passes, tear-down.
std::string put_through(const VariantEntry& entry, const Workload& workload, std::uint64_t seed) {
  start(seed);
  CudaBench bench(workload, {entry}, seed);
  bench.set_up(0);
  std::string wrong = bench.check(0, 1);
  bench.new_input();
  if (wrong.empty()) wrong = bench.check(0, 2);
  bench.pass(0);
  bench.sample(0, 2);
  bench.tear_down(0);
  return wrong;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_mistake_is_reported_by_its_name_in_every_order) {
  const auto all = mistakes::all();
  for (const Planted& mistake : all) {
    BOOST_TEST_MESSAGE(fmt::format("  {:<50} {}", mistake.what, mistake.reported));
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      BOOST_TEST_CONTEXT(mistake.what << ", seed " << seed) { test_planted(mistake, seed); }
    }
  }
  BOOST_TEST_MESSAGE(fmt::format("{} mistakes, {} seeds each", all.size(), seeds));
}

BOOST_AUTO_TEST_CASE(nothing_is_reported_once_it_is_repaired) {
  for (const Planted& mistake : mistakes::all()) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      BOOST_TEST_CONTEXT(mistake.what << ", repaired, seed " << seed) {
        BOOST_TEST(texts_of(run(mistake, false, seed)) == "");
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(nothing_is_reported_of_a_correct_variant) {
  for (const Workload& workload : awkward_shapes()) {
    const bool large = words_of(workload) > 1'000'000;
    for (const VariantEntry& entry : registry()) {
      if (!can_run(entry, workload)) continue;
      for (std::uint64_t seed = 1; seed <= (large ? 1u : 5u); ++seed) {
        BOOST_TEST_CONTEXT(entry.name << ", " << workload.name << ", seed " << seed) {
          BOOST_TEST(put_through(entry, workload, seed) == "");
          BOOST_TEST(machine().leaks().empty());
        }
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator
