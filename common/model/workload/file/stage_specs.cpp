#include "common/model/workload/file/fields.hpp"

#include "common/base/json/json_values.hpp"
#include "common/model/workload/knobs.hpp"
#include "common/model/workload/pipeline/expression.hpp"

namespace trilane {

namespace json = boost::json;

namespace {

constexpr const char* sample_argument = R"({"in": "image"} or {"size": "n"})";
const ObjectKind argument_kind{
    "an argument", sample_argument, {"in", "out", "inout", "size", "chunk", "value", "type"}};

std::vector<std::string> shape_in(const json::value& value, const char* key) {
  const std::string what = fmt::format("\"{}\"", key);
  const auto* array = value.if_array();
  if (!array) return {expression_in(value, what)};
  if (array->empty() || array->size() > 3) {
    misfit("{} must be one number or expression or an array of 1 to 3, not of {}", what,
           array->size());
  }
  std::vector<std::string> shape;
  within_each(*array, [&](const json::value& number) {
    shape.push_back(expression_in(number, "a number of " + what));
  });
  return shape;
}

void read_index_type(const Fields& fields, Argument& argument) {
  fields.read("type", [&](const json::value& type) {
    argument.element = enumerator_in<Element>(type, "a type");
    if (is_floating(argument.element)) {
      misfit(
          "\"type\": \"{}\" does not fit a whole number; use an integer type and convert it in the "
          "kernel",
          name_of(argument.element));
    }
  });
}

void read_value(const Fields& fields, Argument& argument) {
  if (!fields.has("type")) {
    misfit(R"(a value needs a "type"; write for instance {"value": 0.5, "type": "float"})");
  }
  fields.set(argument.element, "type", enumerator_in<Element>, "a type");
  fields.set(argument, "value", constant_in, argument.element);
}

void read_chunk(const Fields& fields, Argument& argument) {
  fields.read("chunk", [&](const json::value& value) {
    argument.kind = position_in(value, "known of a chunk", {"number", "offset"}) == 0
                        ? ArgumentKind::chunk_number
                        : ArgumentKind::chunk_offset;
  });
  read_index_type(fields, argument);
}

std::string kind_key(const Fields& fields) {
  std::string found;
  for (const char* key : {"in", "out", "inout", "size", "chunk", "value"}) {
    if (!fields.has(key)) continue;
    if (!found.empty()) {
      misfit("an argument is either \"{}\" or \"{}\", not both; {}", found, key,
             found == "in" && std::string_view(key) == "out"
                 ? "write \"inout\" for a buffer that is read and written"
                 : "write two arguments");
    }
    found = key;
  }
  if (!found.empty()) return found;
  misfit(
      "an argument needs \"in\", \"out\", \"inout\", \"size\", \"chunk\" or \"value\"; write for "
      "instance {}",
      sample_argument);
}

Argument argument_in(const json::value& value, const std::vector<BufferSpec>& buffers) {
  const Fields fields(value, argument_kind);
  Argument argument;
  const std::string key = kind_key(fields);
  if (key == "value") {
    read_value(fields, argument);
  } else if (key == "chunk") {
    read_chunk(fields, argument);
  } else if (key == "size") {
    argument.kind = ArgumentKind::size;
    fields.set(argument.expression, "size", expression_in, "\"size\"");
    read_index_type(fields, argument);
  } else {
    argument.kind = key == "in"    ? ArgumentKind::in
                    : key == "out" ? ArgumentKind::out
                                   : ArgumentKind::inout;
    fields.read("type", [](const json::value&) {
      misfit("\"type\" stands with the buffer in \"buffers\"; leave it out here");
    });
    fields.set(argument.buffer, key.c_str(), buffer_in, buffers);
  }
  return argument;
}

std::vector<Argument> arguments_in(const json::value& value,
                                   const std::vector<BufferSpec>& buffers) {
  const auto* array = value.if_array();
  if (!array) {
    misfit(
        "\"arguments\" must be an array in the kernel's order, such as [{{\"in\": \"image\"}}, "
        "{{\"size\": \"n\"}}], not {}",
        shown_value(value));
  }
  if (array->size() > most_arguments) {
    misfit("\"arguments\" has {} arguments and may have at most {}; pass values in a buffer",
           array->size(), most_arguments);
  }
  std::vector<Argument> arguments;
  within_each(*array, [&](const json::value& argument) {
    arguments.push_back(argument_in(argument, buffers));
  });
  return arguments;
}

std::string code_file_in(const json::value& value) {
  const std::string name = name_of_length(value, "\"file\"", most_long_name);
  for (const char* ending : {".cu", ".ptx", ".cubin", ".fatbin"}) {
    if (name.ends_with(ending)) return name;
  }
  misfit("\"file\" must end in .cu, .ptx, .cubin or .fatbin, not {}", shown_value(value));
}

constexpr const char* sample_stage = R"({"copy in": "image"})";

Stage stage_kind(const json::value& value) {
  std::vector<Stage> found;
  const json::object* const object = value.if_object();
  for (const Stage kind : enumerators<Stage>) {
    if (object && object->contains(name_of(kind))) found.push_back(kind);
  }
  if (found.size() > 1) {
    misfit("a stage is either \"{}\" or \"{}\", not both; write two stages", name_of(found[0]),
           name_of(found[1]));
  }
  if (!found.empty()) return found.front();
  // Names a mistyped key first.
  const Fields fields(
      value, {"a stage",
              sample_stage,
              {"copy in", "memset", "kernel", "copy out", "name", "after", "value", "file", "grid",
               "block", "shared", "arguments", "time_us", "early"}});
  misfit("a stage needs \"copy in\", \"memset\", \"kernel\" or \"copy out\"; write for instance {}",
         sample_stage);
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
  for (int i = 2; includes(taken, found); ++i) {
    found = fmt::format("{} {}", name, i);
  }
  return found;
}

class StageReader {
 public:
  StageReader(const json::array& stages, Pipeline& pipeline) : pipeline_(pipeline) {
    within_each(stages, [this](const json::value& stage) { take_given_name(stage); });
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
      fields.set(stage.buffer, name_of(stage.stage), buffer_in, pipeline_.buffers);
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
      if (includes(taken_, given)) {
        misfit("{} is the name of an earlier stage; use another", as_written(given));
      }
      taken_.push_back(std::move(given));
    });
  }

  void read_after(const json::value& value, StageSpec& stage) const {
    const auto* array = value.if_array();
    if (!array) {
      misfit("\"after\" must be an array of names of earlier stages, not {}", shown_value(value));
    }
    const std::vector<std::string> earlier = transformed(pipeline_.stages, &StageSpec::name);
    stage.states_order = true;
    within_each(*array, [&](const json::value& name) {
      const auto index =
          static_cast<std::uint32_t>(position_in(name, "the name of an earlier stage", earlier));
      if (includes(stage.after, index)) {
        misfit("\"after\" names {} twice; leave one out", as_written(earlier[index]));
      }
      stage.after.push_back(index);
    });
  }

  Pipeline& pipeline_;
  std::vector<std::string> taken_;  ///< first the names given in the file
};

}  // namespace

KernelSpec kernel_in(const Fields& fields, const std::vector<BufferSpec>& buffers) {
  KernelSpec kernel;
  fields.set_required(kernel.name, "kernel", "\"blur\"", name_of_length, "\"kernel\"",
                      most_long_name);
  fields.set_required(kernel.file, "file", "\"blur.cu\"", code_file_in);
  fields.set_required(kernel.grid, "grid", "\"ceil(n / 256)\"", shape_in, "grid");
  fields.set_required(kernel.block, "block", "256", shape_in, "block");
  fields.set(kernel.shared, "shared", expression_in, "\"shared\"");
  fields.set_required(kernel.arguments, "arguments", "[{\"in\": \"image\"}]", arguments_in,
                      buffers);
  fields.set(kernel.time_us, "time_us", number_between, "\"time_us\"", 0, max_kernel_time_us);
  fields.read("early", [&](const json::value& early) {
    if (!early.is_bool()) {
      misfit("\"early\" must be true or false, not {}", shown_value(early));
    }
    kernel.early = early.get_bool();
  });
  return kernel;
}

void read_stages(const json::value& value, Pipeline& pipeline) {
  const auto* array = value.if_array();
  if (!array || array->empty()) {
    misfit("\"stages\" must be an array of stages in issue order, such as [{}], not {}",
           sample_stage, array ? "an empty one" : shown_value(value));
  }
  if (array->size() > most_stages) {
    misfit("\"stages\" has {} stages and may have at most {}; merge kernels", array->size(),
           most_stages);
  }
  StageReader reader(*array, pipeline);
  within_each(*array, [&](const json::value& stage) { reader.read(stage); });
}

}  // namespace trilane
