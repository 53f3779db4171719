#include "common/model/workload/file/pipeline_file.hpp"

#include <charconv>

#include "common/base/json/document.hpp"
#include "common/base/json/json_values.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"
#include "common/model/workload/file/fields.hpp"
#include "common/model/workload/knobs.hpp"
#include "common/model/workload/pipeline/expression.hpp"

namespace trilane {

namespace json = boost::json;

namespace {

const ObjectKind top_kind{
    "a pipeline file",
    "what `trilane pipeline example` prints",
    {"name", "chunks", "items", "last", "lanes", "order", "sizes", "buffers", "stages", "fused"}};
const ObjectKind fused_kind{
    "\"fused\"",
    R"({"kernel": "blur_all", "file": "blur.cu", "grid": 1, "block": 256, "arguments": []})",
    kernel_keys};

std::vector<NamedSize> sizes_in(const json::value& value) {
  const auto* object = value.if_object();
  if (!object) {
    misfit("\"sizes\" must be an object such as {{\"rows\": \"n / 1024\"}}, not {}",
           shown_value(value));
  }
  std::vector<NamedSize> sizes;
  for (const auto& [key, size] : *object) {
    const std::string_view name = key;
    within(name, [&] {
      if (!is_size_name(name)) {
        misfit(
            "{} cannot be the name of a size; use 1 to 64 letters, digits and _, not first a "
            "digit, and not n, ceil, min or max",
            as_written(name));
      }
      sizes.push_back({std::string(name), expression_in(size, "a size")});
    });
  }
  return sizes;
}

void read_chunks(const Fields& fields, Pipeline& pipeline) {
  fields.set_required(pipeline.chunks, "chunks", "32", whole_between, "\"chunks\"", 1, max_chunks);
  fields.set_required(pipeline.items, "items", "1048576", whole_between, "\"items\"", 1, max_size);
  pipeline.last_items = pipeline.items;
  fields.set(pipeline.last_items, "last", whole_between, "\"last\", the items of the last chunk,",
             1, pipeline.items);
}

PipelineFile file_of(const json::value& document, const std::filesystem::path& path) {
  const Fields fields(document, top_kind);
  PipelineFile file;
  Pipeline& pipeline = file.pipeline;
  pipeline.file = path.string();
  file.name = printable(path.stem().string(), most_name);
  fields.set(file.name, "name", name_of_length, "\"name\"", most_name);
  read_chunks(fields, pipeline);
  fields.read("lanes", [&](const json::value& value) {
    file.lanes = static_cast<std::uint32_t>(whole_between(value, "\"lanes\"", 1, max_lanes));
  });
  fields.set(file.order, "order", enumerator_in<Order>, "an order");
  fields.set(pipeline.sizes, "sizes", sizes_in);
  fields.set_required(pipeline.buffers, "buffers", R"({"image": {"type": "float", "count": "n"}})",
                      buffers_in);
  fields.require("stages", R"([{"copy in": "image"}, {"copy out": "image"}])",
                 [&](const json::value& value) { read_stages(value, pipeline); });
  fields.read("fused", [&](const json::value& value) {
    pipeline.fused = kernel_in(Fields(value, fused_kind), pipeline.buffers);
  });
  require_sound(pipeline);
  return file;
}

/// Returns the index, from 1, that follows `key` in the place; empty if the key is missing.
std::string index_after(std::string_view place, std::string_view key) {
  const auto begin = place.find(key);
  if (begin == place.npos) return "";
  std::size_t index = 0;
  std::from_chars(place.data() + begin + key.size(), place.data() + place.size(), index);
  return std::to_string(index + 1);
}

/// Returns the relevant parts of a place in words: `stage 3, argument 2: `.
std::string context_of(std::string_view place) {
  constexpr std::string_view buffers = ".buffers.", sizes = ".sizes.";
  if (place.starts_with(sizes)) {
    return fmt::format("size {}: ", as_written(place.substr(sizes.size())));
  }
  if (place.starts_with(buffers)) {
    std::string_view name = place.substr(buffers.size());
    for (const std::string& key : buffer_keys) name = name.substr(0, name.rfind("." + key));
    return fmt::format("buffer {}: ", as_written(name));
  }
  const bool fused = place.starts_with(".fused");
  const std::string stage = index_after(place, ".stages["),
                    argument = index_after(place, ".arguments[");
  if (stage.empty() && !fused) return "";
  return (fused ? "fused" : "stage " + stage) + (argument.empty() ? "" : ", argument " + argument) +
         ": ";
}

/// Returns the line at which parsed() refused the text: its message names a byte or a line.
std::size_t line_of_refusal(const std::string& text, std::string_view place) {
  std::size_t number = 0;
  const auto digits = place.find_last_of(' ');
  if (digits == place.npos) return 1;
  std::from_chars(place.data() + digits + 1, place.data() + place.size(), number);
  return place.starts_with("byte") ? line_of_byte(text, std::min(number, text.size())) : number;
}

[[noreturn]] void refuse_at(const std::filesystem::path& path, std::size_t line,
                            const std::string& what) {
  throw UsageError("{}:{}: {}", printable(path.string()), line, what);
}

json::value document_in(const std::string& text, const std::filesystem::path& path) try {
  return parsed(text);
} catch (const Misfit& error) {
  const bool syntax = error.place.starts_with("byte");
  refuse_at(path, line_of_refusal(text, error.place),
            error.what +
                (syntax ? "; JSON has no comments, double quotes only, and no comma before ] or }"
                        : "; leave one out"));
}

}  // namespace

PipelineFile pipeline_in(const std::string& text, const std::filesystem::path& path) {
  const json::value document = document_in(text, path);
  try {
    return file_of(document, path);
  } catch (const Misfit& error) {
    refuse_at(path, Places(text).line_of(error.place), context_of(error.place) + error.what);
  }
}

PipelineFile read_pipeline(const std::filesystem::path& path) {
  std::string text;
  try {
    text = content_of_input(path.string(), most_pipeline_bytes);
  } catch (const std::invalid_argument& error) {
    throw UsageError("{} {}; `trilane pipeline example` prints a pipeline file",
                     in_quotes(path.string()), error.what());
  }
  return pipeline_in(text, path);
}

std::filesystem::path path_beside(const Pipeline& pipeline, const std::string& file) {
  return std::filesystem::path(pipeline.file).parent_path() / file;
}

std::string example_pipeline() {
  return R"json({
  "name": "blur",
  "chunks": 32,
  "items": 1048576,
  "lanes": 4,
  "order": "depth",
  "sizes": {
    "width": 1024,
    "rows": "n / width"
  },
  "buffers": {
    "image": {"type": "float", "count": "n"},
    "weights": {"type": "float", "count": 9, "fill": {"pattern": [1, 2, 1, 2, 4, 2, 1, 2, 1]}},
    "blurred": {"type": "float", "count": "n"},
    "sum_of_each_row": {"type": "float", "count": "rows", "tolerance": 1e-6}
  },
  "stages": [
    {"copy in": "image"},
    {"copy in": "weights"},
    {"memset": "sum_of_each_row", "value": 0},
    {
      "kernel": "blur",
      "file": "blur.cu",
      "grid": ["ceil(width / 32)", "ceil(rows / 8)"],
      "block": [32, 8],
      "shared": "34 * 10 * 4",
      "arguments": [
        {"in": "image"},
        {"in": "weights"},
        {"out": "blurred"},
        {"size": "width", "type": "int32"},
        {"size": "rows", "type": "int32"},
        {"value": 0.0625, "type": "float"}
      ]
    },
    {
      "kernel": "add_up_rows",
      "file": "blur.cu",
      "grid": "rows",
      "block": 256,
      "arguments": [
        {"in": "blurred"},
        {"inout": "sum_of_each_row"},
        {"size": "width", "type": "int32"},
        {"chunk": "offset"}
      ]
    },
    {"copy out": "sum_of_each_row"}
  ]
}
)json";
}

}  // namespace trilane
