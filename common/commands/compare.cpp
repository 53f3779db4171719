#include "common/base/console/console.hpp"
#include "common/base/json/document.hpp"
#include "common/commands/shown.hpp"
#include "common/explain/fleet/fleet_reference.hpp"
#include "common/explain/report/diff_runs.hpp"
#include "common/explain/report/profile_pages.hpp"
#include "common/measure/ask/compare_replies.hpp"
#include "common/measure/processes/merge.hpp"

namespace trilane {
namespace {

using Paths = std::span<const std::string>;

RunFile read_side(Paths paths, bool over_runs) {
  std::vector<Results> runs;
  for (const std::string& path : paths) runs.push_back(load_results("compare", path));
  if (!over_runs) return {paths[0], std::move(runs[0])};
  std::string name = paths[0];
  if (paths.size() > 1) name += fmt::format(" and {} more", paths.size() - 1);
  try {
    return {std::move(name), merged(runs)};
  } catch (const std::invalid_argument& error) {
    refuse("compare", name,
           fmt::format("{}; runs of one side must be of one build and work", error.what()));
  }
}

DiffRequest read_request(const Given& given, bool over_runs) {
  DiffRequest request{.over_runs = over_runs};
  request.same_within = given.share("same-within", 0, 1).value_or(request.same_within);
  request.process_spread = given.share("process-spread", 0, 1).value_or(request.process_spread);
  request.fail_beyond = given.share("fail-on-slower", 0, 1);
  return request;
}

FleetReference read_reference(const std::string& name) try {
  const char* const known = name == "h100"   ? reference_h100_json
                            : name == "h200" ? reference_h200_json
                                             : nullptr;
  return record_from<FleetReference>(known ? known : content_of_input(name), reference_schema,
                                     "reference file");
} catch (const std::invalid_argument& error) {
  refuse("--reference", name,
         fmt::format("{}; give h100, h200 or a file that trilane merge --as-reference wrote",
                     error.what()));
}

/// Judges one run by the figures of other machines.
int compare_with_reference(const Given& given) {
  const Paths files = given.operands();
  if (files.size() > 1) refuse("compare", files[1], "is a second run; --reference judges one");
  for (const char* option :
       {"new-runs", "same-within", "process-spread", "json", "summary", "fail-on-changed"}) {
    given.forbid(option, "is not for --reference; leave it out");
  }
  const auto limit = given.share("fail-on-slower", 0, 1);
  const FleetReference reference = read_reference(*given.text("reference"));
  Page page;
  bool known = false, failed = false;
  for (const FleetRun& run : fleet_runs(files[0], load_results("compare", files[0]))) {
    Judged judged = judged_by(reference, run);
    known |= judged.figures > 0;
    failed |= limit && (judged.slower_by > *limit || !run.failures.empty());
    append(page, std::move(judged.page));
    for (const std::string& failure : run.failures) page.push_back(Bullet{failure});
  }
  if (!known) refuse("compare", files[0], "has no work in common with the reference");
  return worse_of(failed ? exit_wrong : exit_ok, Console().finish(shown(page, read_show(given))));
}

int compare_answers(const Given& given) {
  const Paths files = given.operands();
  if (files.size() > 2) refuse("compare", files[2], "is a third file; answers are compared by two");
  for (const char* option : {"new-runs", "fail-on-slower", "json"}) {
    given.forbid(option, "is not for answers; leave it out");
  }
  FigureTolerance tolerance;
  tolerance.same_within = given.share("same-within", 0, 1).value_or(tolerance.same_within);
  tolerance.process_spread = given.share("process-spread", 0, 1).value_or(tolerance.process_spread);
  const std::string summary = given.output("summary");
  if (summary.ends_with(".json")) {
    refuse("--summary", summary, "answers are summarised in Markdown; give another name");
  }
  check_files({{"--summary", summary}}, named_inputs("compare", given));
  Page page;
  Console console({{"--summary", summary, [&] { return as_markdown(page); }}}, given.has("force"));
  const Replies before = load_replies("compare", files[0]), now = load_replies("compare", files[1]);
  RepliesChange change = compare_replies(before, now, tolerance);
  if (change.page.empty()) {
    refuse("compare", files[1], "shares no question with the first file; ask the same in both");
  }
  page = std::move(change.page);
  append(page, origins_page({files[0], {.context = before.context}},
                            {files[1], {.context = now.context}}));
  const bool failed = given.has("fail-on-changed") && !change.changed.empty();
  if (failed) page.push_back(Paragraph{"--fail-on-changed fails: " + listed(change.changed) + '.'});
  return worse_of(failed ? exit_wrong : exit_ok, console.finish(shown(page, read_show(given))));
}

int compare_profiles(const Given& given) {
  const Paths files = given.operands();
  if (files.size() > 2) refuse("compare", files[2], "is a third profile; name two");
  for (const char* option :
       {"new-runs", "fail-on-slower", "fail-on-changed", "process-spread", "json", "summary"}) {
    given.forbid(option, "is not for profiles; leave it out");
  }
  const double same_within = given.share("same-within", 0, 1).value_or(alike_within);
  const Page page = profiles_page(load_profile(files[0], "compare"),
                                  load_profile(files[1], "compare"), same_within);
  return Console().finish(shown(page, read_show(given)));
}

int compare(const Given& given, const Caller&) {
  if (given.has("reference")) return compare_with_reference(given);
  if (given.operands().size() < 2) {
    throw UsageError("compare needs one word more: compare OLD... NEW...; or --reference");
  }
  const std::string header = start_of_input(given.operands()[0], 200);
  if (header.find(replies_schema.name) != header.npos) return compare_answers(given);
  if (header.find(profile_schema_name) != header.npos) return compare_profiles(given);
  given.forbid("fail-on-changed", "is for answers; --fail-on-slower is for results");
  const Paths files = given.operands();
  const auto new_runs = given.count<std::size_t>("new-runs", 1, files.size() - 1).value_or(1);
  const bool over_runs = files.size() > 2;
  const DiffRequest request = read_request(given, over_runs);
  const std::string json = given.output("json"), summary = given.output("summary");
  check_files({{"--json", json}, {"--summary", summary}}, named_inputs("compare", given));
  RunChange runs;
  const auto summarised = [&] {
    return summary.ends_with(".json") ? to_json(runs) : diff_summary(runs);
  };
  Console console(
      {{"--json", json, [&] { return to_json(runs); }}, {"--summary", summary, summarised}},
      given.has("force"));
  const RunFile before = read_side(files.first(files.size() - new_runs), over_runs);
  const RunFile now = read_side(files.last(new_runs), over_runs);
  runs = diff_runs(before, now, request);
  const bool failed = request.fail_beyond && worse(runs, *request.fail_beyond);
  return worse_of(failed ? exit_wrong : exit_ok,
                  console.finish(shown(diff_page(runs), read_show(given))));
}

}  // namespace

Command compare_command() {
  return {
      .name = "compare",
      .operands = {"OLD... NEW...", 1, 1000, Value::file},
      .summary = "compare two runs, answers or profiles",
      .about =
          "OLD and NEW are files from trilane run --json, for example of two machines, drivers "
          "or revisions. With more than two files, intervals are over runs; the last "
          "file is NEW, or as many as --new-runs says. With --reference, one run is judged by "
          "those of other machines. Two files from trilane ask --json show which answers changed "
          "and which figures moved, two profiles from trilane calibrate what one GPU, host or "
          "driver does differently.",
      .examples = {"compare before.json after.json --fail-on-slower 2%",
                   "compare old*.json new.json --summary summary.md",
                   "compare results.json --reference h200",
                   "compare old_answers.json new_answers.json --fail-on-changed",
                   "compare h200.json h100.json"},
      .groups = {{"How to judge",
                  {{"reference", "KIND|FILE",
                    "judge one run by machines of a kind: h100, h200 or a file", Value::file},
                   {"new-runs", "N", "the number of files that are NEW (default: 1)"},
                   {"fail-on-slower", "PERCENT",
                    "exit with 1 if a variant has LOST its times or is SLOWER, with its whole "
                    "interval, by more than this share of its old time or of 95% of machines"},
                   {"fail-on-changed", "",
                    "exit with 1 if an answer changed or newly failed, not if it is now undecided",
                    Value::none},
                   {"same-within", "PERCENT",
                    "the largest difference that counts as SAME (default: 2%, for profiles 20%)"},
                   {"process-spread", "PERCENT",
                    "how far two processes may differ, if a file holds only one (default: "
                    "25%, for answers 100%)"}}},
                 {"Output",
                  {{"json", "FILE", "every difference; - is standard output", Value::file},
                   {"summary", "FILE",
                    "Markdown for the summary of a CI job; JSON, as --json, if the name ends in "
                    ".json",
                    Value::file},
                   option::force}}},
      .run = compare};
}

}  // namespace trilane
