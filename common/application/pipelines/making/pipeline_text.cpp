#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>

#include "common/application/pipelines/making/recorded_pipeline.hpp"
#include "common/model/workload/pipeline/element.hpp"

namespace trilane {
namespace {

std::string quoted(const std::string& text) {
  return boost::json::serialize(boost::json::string(text));
}

/// Returns a number as it is, anything else as text.
std::string expression(const std::string& text) {
  const bool number = text.find_first_not_of("0123456789") == text.npos;
  return number ? text : quoted(text);
}

std::string shape(const std::vector<std::string>& numbers) {
  if (numbers.size() == 1) return expression(numbers.front());
  return fmt::format("[{}]", fmt::join(transformed(numbers, expression), ", "));
}

/// Returns the shortest text that reads as the same number of its type.
std::string constant(const Argument& argument) {
  if (!is_floating(argument.element)) {
    return is_signed(argument.element) ? fmt::to_string(static_cast<std::int64_t>(argument.whole))
                                       : fmt::to_string(argument.whole);
  }
  const auto narrow = static_cast<float>(argument.value);
  const std::string text = fmt::to_string(narrow);
  const bool same = argument.element == Element::float32 &&
                    static_cast<float>(std::strtod(text.c_str(), nullptr)) == narrow;
  return same ? text : fmt::to_string(argument.value);
}

std::string typed(const char* key, const std::string& value, Element element) {
  return fmt::format("{{\"{}\": {}, \"type\": \"{}\"}}", key, value, name_of(element));
}

std::string argument_text(const Pipeline& pipeline, const Argument& argument, bool unknown) {
  if (unknown) return typed("value", quoted(to_fill_in), argument.element);
  switch (argument.kind) {
    case ArgumentKind::in:
    case ArgumentKind::out:
    case ArgumentKind::inout:
      return fmt::format("{{\"{}\": {}}}", name_of(argument.kind),
                         quoted(pipeline.buffers[argument.buffer].name));
    case ArgumentKind::size:
      return typed("size", expression(argument.expression), argument.element);
    case ArgumentKind::chunk_number: return typed("chunk", "\"number\"", argument.element);
    case ArgumentKind::chunk_offset: return typed("chunk", "\"offset\"", argument.element);
    case ArgumentKind::value: return typed("value", constant(argument), argument.element);
  }
  return {};
}

std::string kernel_text(const RecordedPipeline& recorded, std::uint32_t number,
                        const std::string& source) {
  const KernelSpec& kernel = recorded.pipeline.kernels[number];
  std::string text = fmt::format(
      "{{\"kernel\": {}, \"file\": {},\n     \"grid\": {}, \"block\": {},", quoted(kernel.name),
      quoted(source.empty() ? to_fill_in : source), shape(kernel.grid), shape(kernel.block));
  if (kernel.shared != "0") text += fmt::format(" \"shared\": {},", expression(kernel.shared));
  std::vector<std::string> arguments;
  for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
    arguments.push_back(
        argument_text(recorded.pipeline, kernel.arguments[i], recorded.unknown[number][i]));
  }
  text += fmt::format("\n     \"arguments\": [{}]", fmt::join(arguments, ",\n                   "));
  if (kernel.time_us > 0) text += fmt::format(",\n     \"time_us\": {:.4g}", kernel.time_us);
  return text + "}";
}

std::string stage_text(const RecordedPipeline& recorded, const StageSpec& stage,
                       const std::string& source) {
  if (stage.stage == Stage::transform) return kernel_text(recorded, stage.kernel, source);
  const std::string value =
      stage.value == 0 ? "" : fmt::format(", \"value\": {}", static_cast<unsigned>(stage.value));
  return fmt::format("{{\"{}\": {}{}}}", name_of(stage.stage),
                     quoted(recorded.pipeline.buffers[stage.buffer].name), value);
}

}  // namespace

std::string pipeline_text(const RecordedPipeline& recorded, const std::string& source) {
  const Pipeline& pipeline = recorded.pipeline;
  std::string text = fmt::format("{{\n  \"name\": {},\n  \"chunks\": {},\n  \"items\": {},\n",
                                 quoted(recorded.name), pipeline.chunks, pipeline.items);
  if (pipeline.last_items != pipeline.items) {
    text += fmt::format("  \"last\": {},\n", pipeline.last_items);
  }
  text += fmt::format("  \"lanes\": {},\n  \"order\": \"{}\",\n", recorded.lanes,
                      name_of(recorded.order));
  std::vector<std::string> buffers, stages;
  for (const BufferSpec& buffer : pipeline.buffers) {
    buffers.push_back(fmt::format("    {}: {{\"type\": \"{}\", \"count\": {}}}",
                                  quoted(buffer.name), name_of(buffer.element),
                                  expression(buffer.count)));
  }
  for (const StageSpec& stage : pipeline.stages) {
    stages.push_back("    " + stage_text(recorded, stage, source));
  }
  return text + fmt::format("  \"buffers\": {{\n{}\n  }},\n  \"stages\": [\n{}\n  ]\n}}\n",
                            fmt::join(buffers, ",\n"), fmt::join(stages, ",\n"));
}

}  // namespace trilane
