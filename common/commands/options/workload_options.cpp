#include <boost/algorithm/string/erase.hpp>
#include <regex>

#include "common/base/json/document.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"
#include "common/commands/options/run_options.hpp"
#include "common/model/workload/drawn.hpp"
#include "common/model/workload/file/pipeline_file.hpp"

namespace trilane {
namespace {

[[noreturn]] void refuse_kernel(const std::string& text, const std::string& why) {
  refuse("--kernel", text,
         why + "; for anything else write a pipeline file: see trilane pipeline example");
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
  refuse("--kernel", text, "{} {}", file, error.what());
}

std::vector<Parameter> parameters_in(const std::string& text, const std::string& source,
                                     const std::string& name) {
  const std::regex form(R"(__global__[\w\s\(\),]*?\b)" + name + R"(\s*\(([^)]*)\))");
  std::smatch match;
  if (!std::regex_search(source, match, form)) {
    refuse_kernel(text, fmt::format("has no line \"__global__ void {}(...)\"", name));
  }
  return transformed(split(match[1], ','), parameter_of);
}

/// Applies --host-memory and --pool, which are not knobs. With several policies the workload keeps
/// the default, and contenders() assigns the policies.
Workload with_memory(Workload workload, const Given& given) {
  workload.host_memory = chosen_settings(given).front().host_memory;
  const auto policies = given.read("pool", parse_policies);
  if (policies && policies->size() == 1) workload.pool = policies->front().policy;
  return workload;
}

/// Kernels with minimal work, because a shape says nothing about kernels.
Workload custom_base() {
  Workload base = *std::ranges::find(presets(), "balanced", &Workload::name);
  base.name = "custom";
  base.rounds = 1;
  return base;
}

Workload from_file(const std::string& path) {
  PipelineFile file = read_pipeline(path);
  Workload workload = workload_of(file.name, std::move(file.pipeline));
  workload.lanes = file.lanes.value_or(custom_base().lanes);
  workload.order = file.order.value_or(Order::depth_first);
  return workload;
}

std::vector<Workload> own_workloads(const Given& given) {
  std::vector<Workload> workloads;
  if (const auto paths = given.text("pipeline")) {
    for (const std::string& file : split(*paths, ',')) {
      if (file.empty()) given.forbid("pipeline", "names a file without a name; give its path");
      workloads.push_back(from_file(file));
    }
  }
  if (const auto kernel = given.text("kernel")) {
    Pipeline pipeline = pipeline_of_kernel(*kernel, custom_base());
    const std::string name = pipeline.kernels.front().name;
    workloads.push_back(workload_of(name, std::move(pipeline)));
    workloads.back().lanes = custom_base().lanes;
  }
  if (!workloads.empty()) {
    given.forbid("kernel-time", "is only for Trilane's own kernels; leave it out");
  }
  return workloads;
}

/// Returns the workloads of --drawn, which chooses everything that other options of a workload do.
std::vector<Workload> read_drawn(const Given& given) {
  constexpr std::uint64_t most = 1000;
  for (const char* option : {"preset", "pipeline", "kernel"}) {
    given.forbid(option, "is not for --drawn; leave one out");
  }
  for (const OptionRow& row : knob_group().rows) {
    given.forbid(row.name, "is drawn by --drawn; leave one out");
  }
  const std::string text = *given.text("drawn");
  const auto colon = text.find(':');
  const std::uint64_t count = parse_count("--drawn", text.substr(0, colon), 1, most);
  const std::uint64_t seed =
      colon == text.npos ? 1 : parse_count("--drawn", text.substr(colon + 1), 0, UINT64_MAX);
  return transformed(drawn_workloads(count, seed),
                     [&](const Workload& one) { return with_memory(one, given); });
}

std::optional<std::uint64_t> read_chunks(const Given& given) {
  const std::string text = given.text("chunks").value_or("");
  if (text.find(',') != text.npos || text.find("..") != text.npos) {
    given.forbid(
        "chunks",
        fmt::format("takes one number; to find the best of several: trilane sweep chunks={}",
                    text));
  }
  return given.count("chunks", std::uint64_t{1}, max_chunks);
}

}  // namespace

Pipeline pipeline_of_kernel(const std::string& text, const Workload& shape) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) {
    refuse_kernel(text, "is not FILE:NAME, such as blur.cu:blur");
  }
  const std::string file = text.substr(0, colon), name = text.substr(colon + 1);
  if (!std::regex_match(name, std::regex(R"([A-Za-z_]\w{0,99})"))) {
    refuse_kernel(text, "does not name a plain kernel after the colon");
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
      {.kind = ArgumentKind::in, .buffer = 0},
      {.kind = ArgumentKind::out, .buffer = 1},
      {.kind = ArgumentKind::size, .expression = "n", .element = *parameters[2].element}};
  Pipeline pipeline;
  pipeline.stated_in_file = false;
  pipeline.file = file;
  pipeline.chunks = shape.chunks();
  pipeline.items = pipeline.last_items = shape.chunk_bytes / size_of(*parameters[0].element);
  pipeline.buffers = {{.name = "in", .element = *parameters[0].element, .count = "n"},
                      {.name = "out", .element = *parameters[1].element, .count = "n"}};
  pipeline.kernels = {kernel};
  pipeline.stages = {{.stage = Stage::copy_in, .name = "copy in in", .buffer = 0},
                     {.stage = Stage::transform, .name = name},
                     {.stage = Stage::copy_out, .name = "copy out out", .buffer = 1}};
  return pipeline;
}

Knobs read_knobs(const Given& given) {
  return {.size = given.read("size", parse_size),
          .chunks = read_chunks(given),
          .chunk_size = given.read("chunk-size", parse_size),
          .result_size = given.read("result-size", parse_size),
          .stride = given.read("stride", parse_size),
          .lanes = given.count("lanes", 1u, max_lanes),
          .depth = given.count("depth", 1u, max_depth),
          .rounds = given.count("rounds", 1u, max_rounds),
          .order = given.one_of<Order>("order", {"depth", "breadth"})};
}

std::vector<Workload> chosen_workloads(const Given& given) {
  if (given.has("drawn")) return read_drawn(given);
  const Knobs knobs = read_knobs(given);
  const bool knobs_given = std::ranges::any_of(
      knob_group().rows, [&](const OptionRow& row) { return given.has(row.name); });
  const std::vector<Workload> own = own_workloads(given);
  const bool custom = knobs_given && !given.has("preset");
  std::vector<Workload> bases;
  if (own.empty() || given.has("preset")) {
    bases = custom ? std::vector{custom_base()} : given.named("preset", presets());
  }
  bases.insert(bases.end(), own.begin(), own.end());
  std::vector<Workload> workloads;
  for (const Workload& base : bases) {
    workloads.push_back(turned(with_memory(base, given), knobs));
    // A single kernel's only size is that of the knobs.
    const bool stated = base.pipeline ? base.pipeline->stated_in_file : !custom;
    workloads.back().modified = knobs_given && stated;
  }
  return workloads;
}

Workload sweep_base(const Given& given) {
  const std::vector<Workload> own = own_workloads(given);
  if (own.size() > 1) {
    given.forbid("pipeline", "a sweep varies knobs of one workload; name one");
  }
  if (!own.empty()) {
    given.forbid("preset", "a sweep varies knobs of one workload; leave one out");
    return with_memory(own.front(), given);
  }
  if (!given.has("preset")) return with_memory(custom_base(), given);
  const std::vector<Workload> named = given.named("preset", presets());
  if (named.size() > 1) given.forbid("preset", "a sweep varies knobs of one workload; name one");
  return with_memory(named.front(), given);
}

}  // namespace trilane
