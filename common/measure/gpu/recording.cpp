#include "common/measure/gpu/recording.hpp"

#include <utility>

#include "common/measure/gpu/runtime/phase.hpp"

namespace trilane {

namespace {

/// Ends a failed capture: an unfinished one would restrict calls in the whole process. An error
/// from ending it is ignored, because the first error is already being thrown.
void abandon_capture(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  if (cudaStreamEndCapture(stream, &graph) == cudaSuccess) Graph abandoned(graph);
}

GraphExec instantiate(const Graph& graph) {
  const Phase phase("instantiate");
  cudaGraphExec_t executable = nullptr;
  check(cudaGraphInstantiate(&executable, graph.get(), 0));
  return GraphExec(executable);
}

}  // namespace

Graph capture(const Issue& issue) {
  const Stream stream = make_stream();
  return capture(issue, stream.get());
}

Graph capture(const Issue& issue, cudaStream_t stream) {
  const Phase phase("capture");
  // Global mode: a call that a capture forbids fails on any thread, rather than silently missing
  // from the graph.
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  cudaGraph_t graph = nullptr;
  try {
    issue(stream);
    check(cudaStreamEndCapture(stream, &graph));
  } catch (...) {
    abandon_capture(stream);
    throw;
  }
  return Graph(graph);
}

Recording::Recording(const Issue& issue) : Recording(capture(issue)) {}

Recording::Recording(Graph graph) : graph_(std::move(graph)), executable_(instantiate(graph_)) {
  const Phase phase("upload");
  const Stream stream = make_stream();
  check(cudaGraphUpload(executable_.get(), stream.get()));
  check(cudaStreamSynchronize(stream.get()));
}

void Recording::launch(cudaStream_t origin) const {
  check(cudaGraphLaunch(executable_.get(), origin));
}

void Recording::update(const Graph& graph) const {
  cudaGraphExecUpdateResultInfo info{};
  check(cudaGraphExecUpdate(executable_.get(), graph.get(), &info));
}

std::vector<Count> Recording::evidence() const { return graph_facts(graph_.get()); }

Count Recording::programmatic_edges() const {
  return {"programmatic edges", programmatic_edges_of(graph_.get())};
}

}  // namespace trilane
