#include "common/model/workload/file/kernel_specs.hpp"

#include <fmt/format.h>

#include "common/base/json/json_read.hpp"
#include "common/model/workload/file/buffer_specs.hpp"
#include "common/model/workload/file/fields.hpp"
#include "common/model/workload/knobs.hpp"

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
    misfit(fmt::format("{} must be one number or expression or an array of 1 to 3, not of {}", what,
                       array->size()));
  }
  std::vector<std::string> shape;
  for (std::size_t i = 0; i < array->size(); ++i) {
    within(i, [&] { shape.push_back(expression_in((*array)[i], "a number of " + what)); });
  }
  return shape;
}

/// Reads the type of a size or chunk argument.
void read_index_type(const Fields& fields, Argument& argument) {
  fields.read("type", [&](const json::value& type) {
    argument.element = element_in(type);
    if (is_floating(argument.element)) {
      misfit(
          fmt::format("\"type\": \"{}\" does not fit a whole number; use an integer type and "
                      "convert it in the kernel",
                      name_of(argument.element)));
    }
  });
}

void read_value(const Fields& fields, Argument& argument) {
  if (!fields.has("type")) {
    misfit(R"(a value needs a "type"; write for instance {"value": 0.5, "type": "float"})");
  }
  fields.read("type", [&](const json::value& type) { argument.element = element_in(type); });
  fields.read("value",
              [&](const json::value& value) { argument = constant_in(value, argument.element); });
}

void read_chunk(const Fields& fields, Argument& argument) {
  fields.read("chunk", [&](const json::value& value) {
    argument.kind = position_in(value, "known of a chunk", {"number", "offset"}) == 0
                        ? ArgumentKind::chunk_number
                        : ArgumentKind::chunk_offset;
  });
  read_index_type(fields, argument);
}

/// Returns the only key that states the argument's kind.
std::string kind_key(const Fields& fields) {
  std::string found;
  for (const char* key : {"in", "out", "inout", "size", "chunk", "value"}) {
    if (!fields.has(key)) continue;
    if (!found.empty()) {
      misfit(fmt::format("an argument is either \"{}\" or \"{}\", not both; {}", found, key,
                         found == "in" && std::string_view(key) == "out"
                             ? "write \"inout\" for a buffer that is read and written"
                             : "write two arguments"));
    }
    found = key;
  }
  if (!found.empty()) return found;
  misfit(
      fmt::format("an argument needs \"in\", \"out\", \"inout\", \"size\", \"chunk\" or "
                  "\"value\"; write for instance {}",
                  sample_argument));
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
    fields.read("size", [&](const json::value& size) {
      argument.expression = expression_in(size, "\"size\"");
    });
    read_index_type(fields, argument);
  } else {
    argument.kind = key == "in"    ? ArgumentKind::in
                    : key == "out" ? ArgumentKind::out
                                   : ArgumentKind::inout;
    fields.read("type", [](const json::value&) {
      misfit("\"type\" stands with the buffer in \"buffers\"; leave it out here");
    });
    fields.read(key.c_str(),
                [&](const json::value& name) { argument.buffer = buffer_in(name, buffers); });
  }
  return argument;
}

std::vector<Argument> arguments_in(const json::value& value,
                                   const std::vector<BufferSpec>& buffers) {
  const auto* array = value.if_array();
  if (!array) {
    misfit(
        fmt::format("\"arguments\" must be an array in the kernel's order, such as [{{\"in\": "
                    "\"image\"}}, {{\"size\": \"n\"}}], not {}",
                    shown_value(value)));
  }
  if (array->size() > most_arguments) {
    misfit(
        fmt::format("\"arguments\" has {} arguments and may have at most {}; pass values in a "
                    "buffer",
                    array->size(), most_arguments));
  }
  std::vector<Argument> arguments;
  for (std::size_t i = 0; i < array->size(); ++i) {
    within(i, [&] { arguments.push_back(argument_in((*array)[i], buffers)); });
  }
  return arguments;
}

std::string code_file_in(const json::value& value) {
  const std::string name = name_of_length(value, "\"file\"", most_long_name);
  for (const char* ending : {".cu", ".ptx", ".cubin", ".fatbin"}) {
    if (name.ends_with(ending)) return name;
  }
  misfit(
      fmt::format("\"file\" must end in .cu, .ptx, .cubin or .fatbin, not {}", shown_value(value)));
}

}  // namespace

KernelSpec kernel_in(const Fields& fields, const std::vector<BufferSpec>& buffers) {
  KernelSpec kernel;
  fields.require("kernel", "\"blur\"", [&](const json::value& name) {
    kernel.name = name_of_length(name, "\"kernel\"", most_long_name);
  });
  fields.require("file", "\"blur.cu\"",
                 [&](const json::value& file) { kernel.file = code_file_in(file); });
  fields.require("grid", "\"ceil(n / 256)\"",
                 [&](const json::value& grid) { kernel.grid = shape_in(grid, "grid"); });
  fields.require("block", "256",
                 [&](const json::value& block) { kernel.block = shape_in(block, "block"); });
  fields.read("shared", [&](const json::value& shared) {
    kernel.shared = expression_in(shared, "\"shared\"");
  });
  fields.require("arguments", "[{\"in\": \"image\"}]", [&](const json::value& arguments) {
    kernel.arguments = arguments_in(arguments, buffers);
  });
  fields.read("time_us", [&](const json::value& time) {
    kernel.time_us = number_between(time, "\"time_us\"", 0, max_kernel_time_us);
  });
  fields.read("early", [&](const json::value& early) {
    if (!early.is_bool()) {
      misfit(fmt::format("\"early\" must be true or false, not {}", shown_value(early)));
    }
    kernel.early = early.get_bool();
  });
  return kernel;
}

}  // namespace trilane
