#include "common/model/workload/file/stage_specs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/json/json_read.hpp"
#include "common/model/workload/file/buffer_specs.hpp"
#include "common/model/workload/file/kernel_specs.hpp"
#include "common/model/workload/pipeline/expression.hpp"

namespace trilane {

namespace json = boost::json;

namespace {

constexpr const char* sample_stage = R"({"copy in": "image"})";

/// Returns what the stage does, from its only key that states it.
Stage stage_kind(const json::value& value) {
  std::vector<Stage> found;
  const json::object* const object = value.if_object();
  for (const Stage kind : enumerators<Stage>) {
    if (object && object->contains(name_of(kind))) found.push_back(kind);
  }
  if (found.size() > 1) {
    misfit(fmt::format("a stage is either \"{}\" or \"{}\", not both; write two stages",
                       name_of(found[0]), name_of(found[1])));
  }
  if (!found.empty()) return found.front();
  // Names a mistyped key first.
  const Fields fields(
      value, {"a stage",
              sample_stage,
              {"copy in", "memset", "kernel", "copy out", "name", "after", "value", "file", "grid",
               "block", "shared", "arguments", "time_us", "early"}});
  misfit(
      fmt::format("a stage needs \"copy in\", \"memset\", \"kernel\" or \"copy out\"; write for "
                  "instance {}",
                  sample_stage));
}

ObjectKind kind_of(Stage stage) {
  std::vector<std::string> keys{name_of(stage), "name", "after"};
  switch (stage) {
    case Stage::copy_in: return {"a \"copy in\" stage", sample_stage, keys};
    case Stage::copy_out: return {"a \"copy out\" stage", sample_stage, keys};
    case Stage::clear:
      keys.emplace_back("value");
      return {"a \"memset\" stage", sample_stage, keys};
    case Stage::transform:
      keys.insert(keys.end(), kernel_keys.begin() + 1, kernel_keys.end());
      keys.emplace_back("early");
      return {"a \"kernel\" stage", sample_stage, keys};
  }
  return {};
}

/// Returns an unused name; default names of equal stages are numbered: "blur", "blur 2".
std::string free_name(const std::string& name, const std::vector<std::string>& taken) {
  std::string found = name;
  for (int i = 2; std::ranges::find(taken, found) != taken.end(); ++i) {
    found = fmt::format("{} {}", name, i);
  }
  return found;
}

class StageReader {
 public:
  StageReader(const json::array& stages, Pipeline& pipeline) : pipeline_(pipeline) {
    for (std::size_t i = 0; i < stages.size(); ++i) {
      within(i, [&] { take_given_name(stages[i]); });
    }
  }

  void read(const json::value& value) {
    StageSpec stage;
    stage.stage = stage_kind(value);
    const Fields fields(value, kind_of(stage.stage));
    std::string subject;
    if (stage.stage == Stage::transform) {
      stage.kernel = static_cast<std::uint32_t>(pipeline_.kernels.size());
      subject = pipeline_.kernels.emplace_back(kernel_in(fields, pipeline_.buffers)).name;
    } else {
      fields.read(name_of(stage.stage), [&](const json::value& name) {
        stage.buffer = buffer_in(name, pipeline_.buffers);
      });
      subject = fmt::format("{} {}", name_of(stage.stage), pipeline_.buffers[stage.buffer].name);
    }
    fields.read("value", [&](const json::value& byte) {
      stage.value = static_cast<std::uint8_t>(
          whole_between(byte, "the \"value\" of a memset, a byte,", 0, 255));
    });
    if (fields.has("name")) {
      fields.read("name", [&](const json::value& name) { stage.name = name.get_string(); });
    } else {
      taken_.push_back(stage.name = free_name(subject, taken_));
    }
    fields.read("after", [&](const json::value& after) { read_after(after, stage); });
    pipeline_.stages.push_back(std::move(stage));
  }

 private:
  void take_given_name(const json::value& value) {
    const json::object* const object = value.if_object();
    const json::value* const name = object ? object->if_contains("name") : nullptr;
    if (!name) return;
    within("name", [&] {
      std::string given = name_of_length(*name, "\"name\"", most_name);
      if (std::ranges::find(taken_, given) != taken_.end()) {
        misfit(fmt::format("{} is the name of an earlier stage; use another", as_written(given)));
      }
      taken_.push_back(std::move(given));
    });
  }

  void read_after(const json::value& value, StageSpec& stage) const {
    const auto* array = value.if_array();
    if (!array) {
      misfit(fmt::format("\"after\" must be an array of names of earlier stages, not {}",
                         shown_value(value)));
    }
    std::vector<std::string> earlier;
    for (const StageSpec& other : pipeline_.stages) earlier.push_back(other.name);
    stage.states_order = true;
    for (std::size_t i = 0; i < array->size(); ++i) {
      within(i, [&] {
        const auto index = static_cast<std::uint32_t>(
            position_in((*array)[i], "the name of an earlier stage", earlier));
        if (std::ranges::find(stage.after, index) != stage.after.end()) {
          misfit(
              fmt::format("\"after\" names {} twice; leave one out", as_written(earlier[index])));
        }
        stage.after.push_back(index);
      });
    }
  }

  Pipeline& pipeline_;
  std::vector<std::string> taken_;  ///< first the names given in the file
};

}  // namespace

void read_stages(const json::value& value, Pipeline& pipeline) {
  const auto* array = value.if_array();
  if (!array || array->empty()) {
    misfit(fmt::format("\"stages\" must be an array of stages in issue order, such as [{}], not {}",
                       sample_stage, array ? "an empty one" : shown_value(value)));
  }
  if (array->size() > most_stages) {
    misfit(fmt::format("\"stages\" has {} stages and may have at most {}; merge kernels",
                       array->size(), most_stages));
  }
  StageReader reader(*array, pipeline);
  for (std::size_t i = 0; i < array->size(); ++i) within(i, [&] { reader.read((*array)[i]); });
}

}  // namespace trilane
