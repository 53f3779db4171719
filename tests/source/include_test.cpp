// Who may include whom, read off the include lines.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

namespace fs = std::filesystem;

namespace {

const fs::path source = SOURCE_DIR;

using Includes = std::set<std::string>;

Includes includes_of(const fs::path& file) {
  static const std::regex line(R"(^\s*#include\s*[<"]([^>"]+)[>"])");
  Includes found;
  std::ifstream in(file);
  for (std::string text; std::getline(in, text);) {
    if (std::smatch match; std::regex_search(text, match, line)) found.insert(match[1]);
  }
  return found;
}

std::vector<fs::path> files_in(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(source / folder)) {
    if (entry.is_regular_file()) files.push_back(fs::relative(entry.path(), source));
  }
  return files;
}

bool is_ours(const std::string& include) {
  return include.starts_with("common/") || include.starts_with("kernels/") ||
         include.starts_with("variants/");
}

bool is_cuda(const std::string& include) {
  return include.starts_with("cuda") || include == "driver_types.h" || include == "vector_types.h";
}

/// Everything of ours that a file includes, through other headers too, and CUDA's headers.
void reach(const std::string& file, Includes& seen) {
  if (!seen.insert(file).second || !is_ours(file)) return;
  for (const std::string& include : includes_of(source / file)) reach(include, seen);
}

bool reaches_cuda(const std::string& file) {
  Includes seen;
  reach(file, seen);
  return std::ranges::any_of(seen, is_cuda);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(include_lines)

BOOST_AUTO_TEST_CASE(every_included_file_of_ours_is_there) {
  for (const char* folder : {"common", "kernels", "variants"}) {
    for (const fs::path& file : files_in(folder)) {
      for (const std::string& include : includes_of(source / file)) {
        if (is_ours(include)) BOOST_TEST(fs::exists(source / include), file << ": " << include);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(kernels_know_nothing_of_common_but_the_error_check) {
  for (const fs::path& file : files_in("kernels")) {
    for (const std::string& include : includes_of(source / file)) {
      const bool allowed =
          !include.starts_with("variants/") &&
          (!include.starts_with("common/") || include == "common/gpu/runtime/check.hpp");
      BOOST_TEST(allowed, file << " includes " << include);
    }
  }
}

BOOST_AUTO_TEST_CASE(variants_see_stages_and_the_parts_they_are_made_of) {
  const Includes allowed{"common/variant/variant.hpp",
                         "common/variant/lane_plan.hpp",
                         "common/variant/graph_plan.hpp",
                         "common/gpu/stages/stages.hpp",
                         "common/gpu/lanes.hpp",
                         "common/gpu/crew.hpp",
                         "common/gpu/mapped.hpp",
                         "common/gpu/graphs/recording.hpp",
                         "common/gpu/graphs/built_graph.hpp",
                         "common/gpu/scratch/lane_scratch.hpp",
                         "common/gpu/scratch/pass_scratch.hpp",
                         "common/gpu/scratch/chunk_scratch.hpp"};
  BOOST_TEST(files_in("variants").size() >= 6u);
  for (const fs::path& file : files_in("variants")) {
    for (const std::string& include : includes_of(source / file)) {
      BOOST_TEST(allowed.contains(include), file << " includes " << include);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_parts_build_on_one_another_in_one_direction) {
  const std::vector<std::string> layers{
      "check",  "handles",   "operation",   "stages", "lanes", "lane_scratch", "pass_scratch",
      "mapped", "recording", "built_graph", "crew",   "gate",  "device"};
  for (std::size_t low = 0; low < layers.size(); ++low) {
    Includes seen;
    reach("common/gpu/" + layers[low] + ".hpp", seen);
    for (std::size_t high = low + 1; high < layers.size(); ++high) {
      BOOST_TEST(!seen.contains("common/gpu/" + layers[high] + ".hpp"),
                 layers[low] << " reaches " << layers[high]);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_parts_of_variants_know_no_variant_and_no_harness) {
  for (const fs::path& file : files_in("common/gpu")) {
    Includes seen;
    reach(file, seen);
    for (const std::string& include : seen) {
      const bool below =
          !include.starts_with("common/harness/") && !include.starts_with("common/results/") &&
          !include.starts_with("common/context/") && include != "common/variant/variant.hpp";
      BOOST_TEST(below, file << " reaches " << include);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_computes_and_prints_on_the_host_reaches_no_cuda_header) {
  for (const char* folder : {"common/commands/options", "common/workload", "common/results",
                             "common/context", "common/device/profile", "common/diff"}) {
    for (const fs::path& file : files_in(folder)) {
      // The overview prints what the registry holds, and a variant's interface names its stream.
      if (file.filename() == "overview.cpp") continue;
      BOOST_TEST(!reaches_cuda(file), file);
    }
  }
  for (const fs::path& file : files_in("common/sweep")) {
    if (file.stem() == "visit" || file.stem() == "attempt") continue;  // on the device
    BOOST_TEST(!reaches_cuda(file), file);
  }
  for (const char* name : {"harness", "bench", "roster", "sequence"}) {
    BOOST_TEST(!reaches_cuda(std::string("common/harness/rounds/") + name + ".hpp"), name);
  }
  BOOST_TEST(!reaches_cuda("common/harness/rounds/harness.cpp"));
  BOOST_TEST(!reaches_cuda("common/device/flavour.hpp"));
  BOOST_TEST(reaches_cuda("common/gpu/lanes.hpp"));  // the walk does find what is there
}

BOOST_AUTO_TEST_CASE(the_harness_knows_no_variant_and_no_cuda) {
  Includes seen;
  reach("common/harness/rounds/harness.cpp", seen);
  for (const std::string& include : seen) {
    BOOST_TEST(!include.starts_with("variants/"), include);
    BOOST_TEST(include != "common/variant/variant.hpp");
    BOOST_TEST(include != "common/harness/bench/cuda_bench.hpp");
  }
}

BOOST_AUTO_TEST_CASE(nobody_knows_of_the_simulated_device_but_itself) {
  for (const char* folder : {"common", "kernels", "variants"}) {
    for (const fs::path& file : files_in(folder)) {
      if (file.string().starts_with("common/device/simulator/")) continue;
      for (const std::string& include : includes_of(source / file)) {
        BOOST_TEST(!include.starts_with("common/device/simulator/"),
                   file << " includes " << include);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_simulated_device_knows_the_runtime_and_nothing_that_uses_it) {
  const std::vector<std::string> above{"variants/",         "common/gpu/",
                                       "common/harness/",   "common/results/",
                                       "common/calibrate/", "common/variant/variant.hpp"};
  BOOST_TEST(files_in("common/device/simulator").size() > 1u);
  for (const fs::path& file : files_in("common/device/simulator")) {
    Includes seen;
    reach(file, seen);
    for (const std::string& include : seen) {
      for (const std::string& part : above) {
        BOOST_TEST(!include.starts_with(part), file << " reaches " << include);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_calibration_knows_no_variant_and_no_preset) {
  for (const fs::path& file : files_in("common/calibrate")) {
    for (const std::string& include : includes_of(source / file)) {
      const bool about_workloads = include == "common/variant/variant.hpp" ||
                                   include == "common/gpu/stages/stages.hpp" ||
                                   include.starts_with("common/device/simulator/");
      BOOST_TEST(!about_workloads, file << " includes " << include);
    }
  }
}

BOOST_AUTO_TEST_CASE(device_code_exports_kernels_only) {
  for (const fs::path& file : files_in("kernels")) {
    if (file.extension() != ".cu") continue;
    std::ifstream in(source / file);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    BOOST_TEST(text.find("<<<") == std::string::npos, file);
    BOOST_TEST(text.find("cudaLaunch") == std::string::npos, file);
  }
}

BOOST_AUTO_TEST_SUITE_END()
