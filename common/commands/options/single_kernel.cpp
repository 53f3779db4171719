#include "common/commands/options/single_kernel.hpp"

#include <fmt/format.h>

#include <boost/algorithm/string.hpp>
#include <filesystem>
#include <map>
#include <optional>
#include <regex>
#include <vector>

#include "common/base/json/input_file.hpp"
#include "common/base/text/exit_code.hpp"

namespace trilane {
namespace {

[[noreturn]] void refuse_kernel(const std::string& text, const std::string& why) {
  refuse("--kernel", text,
         why +
             "; for anything else write a pipeline file: see trilane pipeline "
             "example");
}

/// Accepts types as sources name them, without "std::", "const" and "__restrict__".
std::optional<Element> element_of(const std::string& type) {
  static const std::map<std::string, Element> known{
      {"char", Element::int8},           {"signed char", Element::int8},
      {"int8_t", Element::int8},         {"unsigned char", Element::uint8},
      {"uint8_t", Element::uint8},       {"short", Element::int16},
      {"int16_t", Element::int16},       {"unsigned short", Element::uint16},
      {"uint16_t", Element::uint16},     {"int", Element::int32},
      {"int32_t", Element::int32},       {"unsigned", Element::uint32},
      {"unsigned int", Element::uint32}, {"uint32_t", Element::uint32},
      {"long long", Element::int64},     {"int64_t", Element::int64},
      {"long", Element::int64},          {"unsigned long", Element::uint64},
      {"size_t", Element::uint64},       {"unsigned long long", Element::uint64},
      {"uint64_t", Element::uint64},     {"__half", Element::float16},
      {"half", Element::float16},        {"float", Element::float32},
      {"double", Element::float64}};
  const auto found = known.find(type);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

/// One parameter of the kernel.
struct Parameter {
  bool is_pointer = false, is_const = false;
  std::optional<Element> element;
};

Parameter parameter_of(std::string text) {
  Parameter parameter;
  for (const char* word : {"__restrict__", "__restrict", "std::"}) boost::erase_all(text, word);
  parameter.is_const = std::regex_search(text, std::regex(R"(\bconst\b)"));
  text = std::regex_replace(text, std::regex(R"(\bconst\b)"), "");
  parameter.is_pointer = text.find('*') != std::string::npos;
  // The last word is the parameter's name.
  std::smatch match;
  if (!std::regex_match(text, match, std::regex(R"(\s*((?:\w+\s+)*\w+)\s*(?:\*\s*|\s)\w+\s*)"))) {
    return parameter;
  }
  parameter.element = element_of(std::regex_replace(match[1].str(), std::regex(R"(\s+)"), " "));
  return parameter;
}

std::string source_of(const std::string& text, const std::string& file) try {
  return content_of_input(file);
} catch (const std::invalid_argument& error) {
  refuse("--kernel", text, fmt::format("{} {}", file, error.what()));
}

std::vector<Parameter> parameters_in(const std::string& text, const std::string& source,
                                     const std::string& name) {
  const std::regex form(R"(__global__[\w\s\(\),]*?\b)" + name + R"(\s*\(([^)]*)\))");
  std::smatch match;
  if (!std::regex_search(source, match, form)) {
    refuse_kernel(text, fmt::format("has no line \"__global__ void {}(...)\"", name));
  }
  std::vector<std::string> words;
  const std::string list = match[1];
  boost::split(words, list, [](char c) { return c == ','; });
  std::vector<Parameter> parameters;
  for (const std::string& word : words) parameters.push_back(parameter_of(word));
  return parameters;
}

BufferSpec buffer(const char* name, Element element) {
  BufferSpec spec;
  spec.name = name;
  spec.element = element;
  spec.count = "n";
  return spec;
}

StageSpec stage(Stage kind, const std::string& name, std::uint32_t of) {
  StageSpec spec;
  spec.stage = kind;
  spec.name = name;
  spec.buffer = of;
  return spec;
}

}  // namespace

Pipeline pipeline_of_kernel(const std::string& text, const Workload& shape) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) {
    refuse_kernel(text, "is not FILE:NAME, such as blur.cu:blur");
  }
  const std::string file = text.substr(0, colon), name = text.substr(colon + 1);
  if (!std::regex_match(name, std::regex(R"([A-Za-z_]\w{0,99})"))) {
    refuse_kernel(text, "names no plain kernel behind the colon");
  }
  const auto parameters = parameters_in(text, source_of(text, file), name);
  const bool fits = parameters.size() == 3 && parameters[0].is_pointer && parameters[0].is_const &&
                    parameters[0].element && parameters[1].is_pointer && !parameters[1].is_const &&
                    parameters[1].element && !parameters[2].is_pointer && parameters[2].element;
  if (!fits) refuse_kernel(text, "has no parameters like (const T* in, T* out, size_t n)");
  KernelSpec kernel;
  kernel.name = name;
  kernel.file = std::filesystem::path(file).filename();
  kernel.grid = {"ceil(n / 256)"};
  kernel.block = {"256"};
  kernel.arguments = {
      {.kind = ArgumentKind::in, .buffer = 0, .expression = {}},
      {.kind = ArgumentKind::out, .buffer = 1, .expression = {}},
      {.kind = ArgumentKind::size, .expression = "n", .element = *parameters[2].element}};
  Pipeline pipeline;
  pipeline.stated_in_file = false;
  pipeline.file = file;
  pipeline.chunks = shape.chunks();
  pipeline.items = pipeline.last_items = shape.chunk_bytes / size_of(*parameters[0].element);
  pipeline.buffers = {buffer("in", *parameters[0].element), buffer("out", *parameters[1].element)};
  pipeline.kernels = {kernel};
  pipeline.stages = {stage(Stage::copy_in, "copy in in", 0), stage(Stage::transform, name, 0),
                     stage(Stage::copy_out, "copy out out", 1)};
  return pipeline;
}

}  // namespace trilane
