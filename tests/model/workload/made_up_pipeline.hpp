// A pipeline for tests: two inputs, scratch memory, an output, and kernels that do not exist.
#pragma once

#include "common/model/workload/workload.hpp"

namespace trilane {

inline BufferSpec made_up_buffer(std::string name, Element element, std::string count) {
  BufferSpec buffer;
  buffer.name = std::move(name);
  buffer.element = element;
  buffer.count = std::move(count);
  return buffer;
}

inline StageSpec made_up_stage(Stage stage, std::string name, std::uint32_t buffer,
                               std::uint32_t kernel = 0) {
  StageSpec spec;
  spec.stage = stage;
  spec.name = std::move(name);
  spec.buffer = buffer;
  spec.kernel = kernel;
  return spec;
}

inline Argument made_up_argument(ArgumentKind kind, std::uint32_t buffer) {
  Argument argument;
  argument.kind = kind;
  argument.buffer = buffer;
  return argument;
}

inline KernelSpec made_up_kernel(std::string name, std::vector<Argument> arguments) {
  KernelSpec kernel;
  kernel.name = std::move(name);
  kernel.file = "made_up.cu";
  kernel.grid = {"ceil(n / 64)"};
  kernel.block = {"64"};
  kernel.arguments = std::move(arguments);
  kernel.time_us = 5;
  return kernel;
}

/// Returns 3 chunks of 10 items, the last of 4: a (10 bytes) and b (5 floats) in, mid scratch, out
/// (n + 1 words). Stages: copy in a, copy in b, memset out, mix (a, b -> mid), finish (mid -> out),
/// copy out out.
inline Pipeline made_up_pipeline() {
  using enum ArgumentKind;
  Pipeline p;
  p.file = "made_up.json";
  p.chunks = 3;
  p.items = 10;
  p.last_items = 4;
  p.buffers = {made_up_buffer("a", Element::uint8, "n"),
               made_up_buffer("b", Element::float32, "n / 2"),
               made_up_buffer("mid", Element::float64, "n"),
               made_up_buffer("out", Element::uint32, "n + 1")};
  p.kernels = {made_up_kernel("mix", {made_up_argument(in, 0), made_up_argument(in, 1),
                                      made_up_argument(out, 2)}),
               made_up_kernel("finish", {made_up_argument(in, 2), made_up_argument(inout, 3)})};
  p.stages = {made_up_stage(Stage::copy_in, "copy in a", 0),
              made_up_stage(Stage::copy_in, "copy in b", 1),
              made_up_stage(Stage::clear, "memset out", 3),
              made_up_stage(Stage::transform, "mix", 0, 0),
              made_up_stage(Stage::transform, "finish", 0, 1),
              made_up_stage(Stage::copy_out, "copy out out", 3)};
  return p;
}

inline Workload made_up_workload() {
  Workload workload = workload_of("made up", made_up_pipeline());
  workload.lanes = 2;
  return workload;
}

}  // namespace trilane
