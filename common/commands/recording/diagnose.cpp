#include "common/application/diagnosis/make_diagnosis.hpp"

#include <fmt/format.h>

#include "common/analysis/trace/chrome_trace.hpp"
#include "common/application/diagnosis/trace/recorded_pass.hpp"
#include "common/application/diagnosis/words/diagnosis_page.hpp"
#include "common/commands/command_files.hpp"
#include "common/commands/options/option_parts.hpp"
#include "common/commands/runs/shown.hpp"
#include "common/commands/runs/written.hpp"
#include "common/console/console.hpp"
#include "common/context/context.hpp"
#include "common/text/layout.hpp"

namespace trilane {
namespace {

constexpr std::size_t name_width = 60;

std::string timeline_of(const ApplicationRecording& recording) {
  Context context = program_context();
  if (recording.simulated) context.simulated = recording.machine.gpu;
  context.gpu.push_back({"name", recording.machine.gpu});
  return chrome_trace({{.comparison = 0,
                        .workload = clipped(recording.application, name_width),
                        .variants = {trace_of(recording)}}},
                      context);
}

int diagnose(const Given& given, const Caller&) {
  const std::string& path = given.operands()[0];
  const std::string json = given.output("json"), trace = given.output("trace");
  check_files({{"--json", json}, {"--trace", trace}}, {{"diagnose", path}});
  ApplicationRecording recording;
  Diagnosis diagnosis;
  Console console({{"--json", json, [&] { return to_json(diagnosis); }},
                   {"--trace", trace, [&] { return timeline_of(recording); }}},
                  given.has("force"));
  recording = load_recording("diagnose", path);
  diagnosis = diagnosis_of(recording);
  return console.finish(shown(diagnosis_page(diagnosis), read_show(given)));
}

}  // namespace

Command diagnose_command() {
  return {
      .name = "diagnose",
      .operands = {"RECORDING", 1, 1, Value::file},
      .summary = "say where a recorded application's time goes; needs no GPU",
      .about =
          "RECORDING is a file that trilane record --save wrote. This prints, for one iteration, "
          "why the GPU is idle, the critical path, copies that could overlap, calls that do "
          "nothing, and operations that race. Files of --trace are for Perfetto and for "
          "plots/timeline.py; their lanes are the application's streams.",
      .examples = {"diagnose app.json", "diagnose app.json --json diagnosis.json --markdown"},
      .groups = {{"Output",
                  {{"json", "FILE", "the whole diagnosis; - is standard output", Value::file},
                   {"trace", "FILE", "one iteration's calls and operations, in a file for Perfetto",
                    Value::file},
                   option::markdown,
                   option::force}}},
      .run = diagnose};
}

}  // namespace trilane
