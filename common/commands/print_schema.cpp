#include "common/application/diagnosis/make_diagnosis.hpp"
#include "common/application/iteration/recording_file.hpp"
#include "common/base/console/console.hpp"
#include "common/base/json/json_values.hpp"
#include "common/commands/options/command_line.hpp"
#include "common/device/profile/profile.hpp"
#include "common/explain/fleet/fleet_reference.hpp"
#include "common/explain/fleet/history.hpp"
#include "common/measure/ask/reply.hpp"
#include "common/measure/loop/results/loop_results.hpp"
#include "common/measure/sweep/sweep_file.hpp"
#include "common/model/results/results_io.hpp"

namespace trilane {
namespace {

struct FileKind {
  const char *name, *written_by;
  boost::json::object (*schema)();
};

constexpr std::array file_kinds{
    FileKind{"results", "run, record --results", results_json_schema},
    FileKind{"sweep", "sweep", sweep_json_schema},
    FileKind{"answers", "ask", [] { return json_schema_of<Replies>(replies_schema); }},
    FileKind{"loops", "loop", [] { return json_schema_of<LoopResults>(loops_schema); }},
    FileKind{"recording", "record --save", recording_json_schema},
    FileKind{"diagnosis", "diagnose", [] { return json_schema_of<Diagnosis>(diagnosis_schema); }},
    FileKind{"fleet", "merge, fleet", fleet_json_schema},
    FileKind{"history", "history", [] { return json_schema_of<History>(history_schema); }},
    FileKind{"reference", "merge --as-reference",
             [] { return json_schema_of<FleetReference>(reference_schema); }},
    FileKind{"profile", "calibrate", profile_json_schema}};

std::string kinds_in_words() {
  std::string text;
  for (const FileKind& kind : file_kinds) {
    text += fmt::format("{:<9}  written by {}\n", kind.name, kind.written_by);
  }
  return text;
}

int print_schema(const Given& given, const Caller&) {
  if (given.operands().empty()) return Console().finish(kinds_in_words());
  const std::size_t chosen = parse_choice("schema", given.operands().front(), names_of(file_kinds));
  return Console().finish(pretty(file_kinds[chosen].schema(), OneLine::texts));
}

}  // namespace

Command schema_command() {
  static const std::string kinds = fmt::format("{}", fmt::join(names_of(file_kinds), ","));
  return {.name = "schema",
          .operands = {"[KIND]", 0, 1, Value::choice, kinds.c_str()},
          .summary = "print the JSON Schema of a kind of file, or list the kinds",
          .about =
              "The schema covers members, types, names and ranges. When Trilane reads a file, it "
              "also checks that the members are consistent.",
          .examples = {"schema", "schema results > results.schema.json"},
          .run = print_schema};
}

}  // namespace trilane
