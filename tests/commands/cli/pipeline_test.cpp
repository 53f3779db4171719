// trilane pipeline, --pipeline and --kernel, as a user runs them.
#include "tests/commands/cli/program.hpp"

namespace {

void write(const std::string& name, const std::string& text) { std::ofstream(name) << text; }

const std::string twice = R"(
__global__ void twice(const float* in, float* out, unsigned long long n) {
  const unsigned long long i = blockIdx.x * 256ull + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}
)";

/// Returns a pipeline of `twice`; `more` goes into its kernel's stage.
std::string pipeline(const std::string& more = "") {
  return R"json({
  "chunks": 4, "items": 1000, "last": 10,
  "buffers": {"in": {"type": "float", "count": "n"}, "out": {"type": "float", "count": "n"}},
  "stages": [
    {"copy in": "in"},
    {"kernel": "twice", "file": "twice.cu", "grid": "ceil(n / 256)", "block": 256,
     "arguments": [{"in": "in"}, {"out": "out"}, {"size": "n"}])json" +
         more + R"json(},
    {"copy out": "out"}
  ]
})json";
}

/// Returns a path in the source tree or in an installed copy.
std::filesystem::path in_top(const std::string& path) {
  const char* const top = std::getenv("TRILANE_TOP");
  BOOST_TEST_REQUIRE(top != nullptr);
  return std::filesystem::path(top) / path;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(own_pipelines, Workplace)

BOOST_AUTO_TEST_CASE(the_example_is_a_pipeline_file) {
  const Outcome printed = run_program({"pipeline", "example"}).ended(0);
  write("example.json", printed.out);
  const Outcome planned = run_program({"plan", "--pipeline", "example.json", "--variant", "graph"});
  BOOST_TEST(planned.code == 0);
}

BOOST_AUTO_TEST_CASE(a_mistake_in_the_file_is_refused_with_its_line) {
  std::string text = pipeline();
  text.replace(text.find("{\"copy out\": \"out\"}"), 19, "{\"copy out\": \"uot\"}");
  write("mine.json", text);
  for (const char* command : {"run", "plan", "pipeline"}) {
    Words words{command};
    if (words[0] == "pipeline") words.push_back("check");
    words.insert(words.end(), {"--pipeline", "mine.json"});
    const Outcome refused = run_program(words).ended(2);
    BOOST_TEST(refused.says("mine.json:8: "));
    BOOST_TEST(refused.says("did you mean \"out\"?"));
    BOOST_TEST(refused.out == "");
  }
}

BOOST_AUTO_TEST_CASE(words_that_make_no_sense_together_are_refused) {
  write("mine.json", pipeline());
  write("twice.cu", twice);
  const auto refused = [](Words words, const std::string& why) {
    const Outcome outcome = run_program(words).ended(2);
    BOOST_TEST(outcome.says(why), outcome.err);
  };
  refused({"pipeline"}, "pipeline");
  refused({"pipeline", "chek"}, "check");
  refused({"pipeline", "check"}, "name one pipeline file");
  refused({"pipeline", "check", "mine.json", "--pipeline", "other.json"}, "leave one out");
  refused({"run", "--pipeline", "none.json"}, "none.json");
  refused({"run", "--pipeline", "mine.json", "--depth", "3"}, "--depth");
  refused({"run", "--pipeline", "mine.json", "--kernel-time", "5us"}, "--kernel-time");
  refused({"run", "--pipeline", "mine.json,"}, "--pipeline");
  refused({"run", "--kernel", "twice.cu"}, "FILE:NAME");
  refused({"run", "--kernel", "twice.cu:thrice"}, "thrice");
  refused({"sweep", "chunks=2,4", "--pipeline", "mine.json,mine.json"}, "one workload");
}

BOOST_AUTO_TEST_CASE(plans_of_a_pipeline_and_a_kernel_need_no_gpu) {
  write("mine.json", pipeline());
  write("twice.cu", twice);
  const Outcome of_file =
      run_program({"plan", "--pipeline", "mine.json", "--variant", "graph_built", "--chunks", "8"});
  BOOST_TEST(of_file.code == 0);
  BOOST_TEST(contains(of_file.out, "mine, modified"));
  const Outcome of_kernel = run_program({"plan", "--kernel", "twice.cu:twice"}).ended(0);
}

BOOST_AUTO_TEST_CASE(simulated_kernels_need_a_time,
                     *boost::unit_test::precondition(for_the_simulated_device)) {
  write("mine.json", pipeline());
  const Outcome unknown = run_program({"run", "--pipeline", "mine.json"}).ended(2);
  BOOST_TEST(unknown.says("time_us"));
  write("mine.json", pipeline(", \"time_us\": 5"));
  const Outcome known =
      run_program({"run", "--pipeline", "mine.json", "--check", "--json", "r.json"}).ended(0);
  BOOST_TEST(contains(known.out, "Results of mine are not computed"));
  const Outcome again = run_program({"show", "r.json", "mine", "--all"}).ended(0);
  BOOST_TEST(contains(again.out, "4 chunks x 3.9"));
  const Outcome check = run_program({"pipeline", "check", "mine.json"}).ended(0);
  BOOST_TEST(contains(check.out, "in in, out out, n"));
  const std::string before = content_of_file("mine.json");
  const Outcome measured = run_program({"pipeline", "measure", "mine.json"}).ended(4);
  BOOST_TEST(measured.says("a simulated device cannot measure kernels; run it on a GPU"));
  BOOST_TEST(content_of_file("mine.json") == before);
}

BOOST_AUTO_TEST_CASE(simulated_pipelines_have_a_trace_and_a_report,
                     *boost::unit_test::precondition(for_the_simulated_device)) {
  const std::string file = in_top("tests/variants/pipelines/fused.json").string();
  const Outcome run = run_program({"run", "--pipeline", file, "--variant", "streams,graph_fused",
                                   "--time", "100ms", "--trace", "trace.json", "--json", "r.json"});
  BOOST_TEST(run.code == 0, run.err);
  const std::string trace = content_of_file("trace.json");
  for (const char* name : {"a kernel for a whole chunk: streams", "twice", "add_one",
                           "a kernel for a whole chunk: graph_fused", "twice_add_one", "copy in"}) {
    BOOST_TEST(contains(trace, fmt::format("\"name\":\"{}\"", name)), name);
  }
  const Outcome report = run_program({"report", "r.json", "page.html", "--trace", "trace.json"});
  if (report.says("no Python here can import matplotlib")) {
    BOOST_TEST_MESSAGE("skipped: " << report.err);
    return;
  }
  BOOST_TEST(report.code == 0, report.err);
  const std::string page = content_of_file("page.html");
  for (const char* part : {"a kernel for a whole chunk", "graph_fused", "not computed"}) {
    BOOST_TEST(contains(page, part), part);
  }
}

BOOST_AUTO_TEST_CASE(simulated_examples_run_under_every_variant,
                     *boost::unit_test::precondition(for_the_simulated_device)) {
  std::string files;
  for (const char* name : {"blur", "histogram", "halves", "products", "nonces"}) {
    if (!files.empty()) files += ",";
    files += in_top("kernels/examples").append(name).string() + ".json";
  }
  const Outcome outcome =
      run_program({"run", "--pipeline", files, "--chunks", "6", "--check", "--time", "100ms"});
  BOOST_TEST(outcome.code == 0, outcome.err);
  BOOST_TEST(contains(outcome.out, "5 workloads"));
}

BOOST_AUTO_TEST_CASE(a_simulated_preset_as_a_file_runs_beside_the_preset,
                     *boost::unit_test::precondition(for_the_simulated_device)) {
  const std::string file = in_top("tests/variants/presets/launch.json").string();
  const Outcome outcome = run_program({"run", "--preset", "launch", "--pipeline", file, "--variant",
                                       "streams,graph,graph_early", "--time", "100ms"});
  BOOST_TEST(outcome.code == 0, outcome.err);
  BOOST_TEST(contains(outcome.out, "2 workloads, 3 variants"));
  BOOST_TEST(!contains(outcome.out, "Not"), outcome.out);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(own_pipelines_on_a_gpu, Workplace,
                         *boost::unit_test::precondition(has_gpu))

BOOST_AUTO_TEST_CASE(a_kernel_runs_and_is_measured, *boost::unit_test::precondition(for_a_gpu)) {
  write("mine.json", pipeline());
  write("twice.cu", twice);
  const Outcome run = run_program({"run", "--pipeline", "mine.json", "--kernel", "twice.cu:twice",
                                   "--processes", "1", "--time", "100ms", "--json", "r.json"});
  BOOST_TEST(run.code == 0, run.err);
  BOOST_TEST(contains(run.out, "Every"));
  std::string with_fused = pipeline();
  with_fused.insert(1, R"json(
  "fused": {"kernel": "twice", "file": "twice.cu", "grid": "ceil(n / 256)", "block": 256,
            "arguments": [{"in": "in"}, {"out": "out"}, {"size": "n"}]},)json");
  write("mine.json", with_fused);
  const Outcome measured = run_program({"pipeline", "measure", "mine.json"}).ended(0);
  BOOST_TEST(contains(measured.out, "twice (fused)"));
  const std::string timed = content_of_file("mine.json");
  const std::size_t first = timed.find("\"time_us\": ");
  BOOST_TEST(first < timed.find("\"stages\""));
  BOOST_TEST(timed.find("\"time_us\": ", first + 1) != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
