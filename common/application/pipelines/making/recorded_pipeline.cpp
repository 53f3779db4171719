#include "common/application/pipelines/making/recorded_pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "common/application/pipelines/making/chunked_iteration.hpp"
#include "common/application/pipelines/making/pipeline_buffers.hpp"
#include "common/application/pipelines/making/pipeline_kernel.hpp"
#include "common/base/json/misfit.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"
#include "common/model/workload/file/fields.hpp"
#include "common/model/workload/file/pipeline_checks.hpp"
#include "common/model/workload/knobs.hpp"

namespace trilane {
namespace {

std::string name_of_program(const std::string& command_line) {
  const std::string word = command_line.substr(0, command_line.find(' '));
  const std::string name = std::filesystem::path(word).filename();
  return name.empty() ? "recorded" : printable(name, most_name);
}

bool copies_pageable(const ChunkedIteration& chunked) {
  return std::ranges::any_of(chunked.operations, [&](const ChunkOperation& operation) {
    const RecordedCall& call = chunked.recording.calls[operation.call];
    return std::ranges::any_of(call.uses, [&](const UsedRange& range) {
      return chunked.recording.memory[range.memory].kind == MemoryKind::pageable;
    });
  });
}

/// Returns how many chunks have memory of their own, by the first place that they use.
std::size_t memories(const ChunkedIteration& chunked) {
  std::set<DevicePlace> places;
  for (const ChunkChain& chain : chunked.chains) {
    places.insert(chunked.operations[chain[0]].places.front());
  }
  return places.size();
}

/// How an application issues the chunks of its iteration.
struct ChunkLanes {
  std::uint32_t lanes = 1;
  Order order = Order::depth_first;
};

/// Returns the lanes: the streams or, if a chunk uses several, the chunks that have memory of their
/// own.
ChunkLanes chunk_lanes(const ChunkedIteration& chunked) {
  const auto stream_of = [&](std::size_t operation) {
    return chunked.recording.calls[chunked.operations[operation].call].stream;
  };
  std::set<std::uint32_t> streams;
  bool one_each = true, in_a_row = true;
  for (const ChunkChain& chain : chunked.chains) {
    for (std::size_t i = 0; i < chain.size(); ++i) {
      streams.insert(stream_of(chain[i]));
      one_each = one_each && stream_of(chain[i]) == stream_of(chain[0]);
      in_a_row = in_a_row && chain[i] == chain[0] + i;
    }
  }
  // With a stream for each engine, as many chunks are under way as have their own memory.
  const std::size_t lanes = one_each ? streams.size() : memories(chunked);
  return {.lanes = static_cast<std::uint32_t>(
              std::min({lanes, chunked.chains.size(), std::size_t{max_lanes}})),
          .order = in_a_row ? Order::depth_first : Order::breadth_first};
}

void put_stages(const ChunkedIteration& chunked, ChunkNumber items, RecordedPipeline& made) {
  Pipeline& pipeline = made.pipeline;
  std::set<std::uint32_t> written;
  for (const ChunkStage& stage : chunked.chunks.stages) {
    const ChunkOperation& first = chunked.first_of(stage);
    StageSpec& spec = pipeline.stages.emplace_back();
    spec.stage = first.stage;
    if (first.stage == Stage::transform) {
      PipelineKernel launched = pipeline_kernel(chunked, stage, items, written);
      spec.kernel = static_cast<std::uint32_t>(pipeline.kernels.size());
      spec.name = launched.kernel.name;
      pipeline.kernels.push_back(std::move(launched.kernel));
      made.unknown.push_back(std::move(launched.unknown));
    } else {
      spec.buffer = stage.buffers.front();
      spec.value = first.value;
      spec.name = fmt::format("{} {}", name_of(first.stage), pipeline.buffers[spec.buffer].name);
    }
    written.insert(stage.buffers.begin(), stage.buffers.end());
  }
}

/// Checks the rules that every pipeline file must keep; their messages name the place in the file.
void require_sound_pipeline(const Pipeline& pipeline) try {
  require_at_most(max_chunks, pipeline.chunks, "chunks");
  require_sound(pipeline);
} catch (const Misfit& error) {
  throw UsageError(fmt::format("as a pipeline file: {} {}",
                               error.place.empty() ? "" : error.place.substr(1) + ":", error.what));
}

}  // namespace

RecordedPipeline recorded_pipeline(const ApplicationRecording& recording) {
  const ChunkedIteration chunked(recording);
  auto [buffers, items] = pipeline_buffers(chunked);
  const auto [lanes, order] = chunk_lanes(chunked);
  RecordedPipeline made{.name = name_of_program(recording.application),
                        .pipeline = {},
                        .unknown = {},
                        .lanes = lanes,
                        .order = order,
                        .pageable = copies_pageable(chunked)};
  made.pipeline.buffers = std::move(buffers);
  made.pipeline.items = items.value;
  made.pipeline.last_items = items.last;
  made.pipeline.chunks = chunked.chains.size();
  put_stages(chunked, items, made);
  require_sound_pipeline(made.pipeline);
  return made;
}

}  // namespace trilane
