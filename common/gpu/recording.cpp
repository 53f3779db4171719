#include "common/gpu/recording.hpp"

namespace trilane {

Graph capture(const Issue& issue) {
  const Stream stream = make_stream();
  // Global mode: any thread's call that a capture forbids fails, instead of going unrecorded.
  check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal));
  cudaGraph_t graph = nullptr;
  try {
    issue(stream.get());
  } catch (...) {
    // Ending a capture that went wrong reports that again; what went wrong first is on its way.
    if (cudaStreamEndCapture(stream.get(), &graph) == cudaSuccess) Graph abandoned(graph);
    throw;
  }
  check(cudaStreamEndCapture(stream.get(), &graph));
  return Graph(graph);
}

namespace {

GraphExec instantiate(const Graph& graph) {
  cudaGraphExec_t executable = nullptr;
  check(cudaGraphInstantiate(&executable, graph.get(), 0));
  return GraphExec(executable);
}

}  // namespace

Recording::Recording(const Issue& issue)
    : graph_(capture(issue)), executable_(instantiate(graph_)) {
  const Stream stream = make_stream();
  check(cudaGraphUpload(executable_.get(), stream.get()));
  check(cudaStreamSynchronize(stream.get()));
}

void Recording::launch(cudaStream_t origin) const {
  check(cudaGraphLaunch(executable_.get(), origin));
}

std::vector<Count> Recording::evidence() const { return graph_facts(graph_.get()); }

}  // namespace trilane
