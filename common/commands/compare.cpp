
#include "common/base/console/console.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/commands/options/command_line.hpp"
#include "common/commands/options/run_options.hpp"
#include "common/commands/shown.hpp"
#include "common/commands/written.hpp"
#include "common/explain/report/diff_runs.hpp"
#include "common/model/results/results_io.hpp"

namespace trilane {
namespace {

DiffRequest read_request(const Given& given) {
  DiffRequest request{.before = given.operands()[0], .now = given.operands()[1]};
  request.same_within = given.share("same-within", 0, 1).value_or(request.same_within);
  request.process_spread = given.share("process-spread", 0, 1).value_or(request.process_spread);
  request.fail_beyond = given.share("fail-on-slower", 0, 1);
  return request;
}

int compare(const Given& given, const Caller&) {
  const DiffRequest request = read_request(given);
  const std::string json = given.output("json");
  check_files({{"--json", json}}, {{"compare", request.before}, {"compare", request.now}});
  RunChange runs;
  Console console({{"--json", json, [&] { return to_json(runs); }}}, given.has("force"));
  const RunFile before{request.before, load_results("compare", request.before)};
  const RunFile now{request.now, load_results("compare", request.now)};
  runs = diff_runs(before, now, request);
  const bool failed = request.fail_beyond && worse(runs, *request.fail_beyond);
  return worse_of(failed ? exit_wrong : exit_ok,
                  console.finish(shown(diff_page(runs), read_show(given))));
}

}  // namespace

Command compare_command() {
  return {.name = "compare",
          .operands = {"OLD NEW", 2, 2, Value::file},
          .summary = "compare two runs, variant by variant: same, faster or slower",
          .about =
              "OLD and NEW are files from trilane run --json, for example of two machines, drivers "
              "or revisions.",
          .examples = {"compare before.json after.json --fail-on-slower 2%"},
          .groups = {{"How to judge",
                      {{"fail-on-slower", "PERCENT",
                        "exit with 1 if a variant has LOST its times or is SLOWER, with its whole "
                        "interval, by more than this share of its old time"},
                       {"same-within", "PERCENT",
                        "the largest difference that counts as SAME (default: 2%)"},
                       {"process-spread", "PERCENT",
                        "how far two processes may differ, if a file holds only one (default: "
                        "25%)"}}},
                     {"Output",
                      {{"json", "FILE", "every difference; - is standard output", Value::file},
                       option::force}}},
          .run = compare};
}

}  // namespace trilane
