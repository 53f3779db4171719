// The types behind the runtime's handles, which its headers only declare.
#pragma once

#include <cuda_runtime_api.h>

#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

/// One stream capture, from cudaStreamBeginCapture to cudaStreamEndCapture.
struct Capture {
  cudaStream_t origin = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::uint64_t thread = 0;
  std::unique_ptr<CUgraph_st> graph;
  std::set<cudaStream_t> streams;  ///< including the origin
  bool invalidated = false;
};

/// The dependencies of the next captured node.
using NodeFrontier = std::vector<cudaGraphNode_t>;

}  // namespace trilane::simulator

struct CUstream_st {
  std::uint64_t number = 0;             ///< 0 for the legacy default stream of device 0
  int device = 0;                       ///< current when it was made
  bool blocking = false;                ///< synchronises with the legacy default stream
  trilane::simulator::Frontier tail{};  ///< the predecessors of the next operation
  std::shared_ptr<trilane::simulator::Capture> capture{};  ///< null if not capturing
  trilane::simulator::NodeFrontier capture_tail{};
};

struct CUevent_st {
  std::uint64_t number = 0;
  int device = 0;  ///< current when it was made
  bool timing = true;
  bool recorded = false;              ///< outside a capture
  double issued_us = 0;               ///< time of the last record on the host's clock
  trilane::simulator::Frontier work;  ///< the work that the last record marks
  std::shared_ptr<trilane::simulator::Capture> capture;  ///< capture of the last record
  trilane::simulator::NodeFrontier capture_work;
};

struct CUgraphNode_st {
  std::uint64_t number = 0;          ///< in its graph, from 1
  trilane::simulator::TaskPtr task;  ///< null: an empty node
  std::vector<cudaGraphNode_t> dependencies;
  cudaGraphNode_t overlaps = nullptr;  ///< the dependency with a programmatic edge; null if none
  trilane::Label label{};              ///< of the creating call
};

struct CUgraph_st {
  std::uint64_t number = 0;
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;  ///< in order of creation
};

struct CUgraphExec_st {
  std::uint64_t number = 0;
  std::uint64_t graph = 0;    ///< number of the graph from which it was instantiated
  bool frees_itself = false;  ///< frees remaining memory before the next launch
  struct Node {
    cudaGraphNode_t made_from;              ///< of that graph
    trilane::simulator::TaskPtr task;       ///< null: an empty node
    std::vector<std::size_t> dependencies;  ///< indices below its own
    trilane::Label label{};                 ///< of its original node
    bool stale = true;                      ///< not uploaded since it was made or changed
  };
  std::vector<Node> nodes;
  trilane::simulator::Frontier last;  ///< leaves of its last launch, for which the next one waits
};

struct CUmemPoolHandle_st {
  std::uint64_t number = 0;
  int device = 0;         ///< whose memory it holds
  std::set<int> sharers;  ///< other devices whose kernels may access it
  std::uint64_t release_threshold = 0;
  int reuse_follow_event_dependencies = 1, reuse_opportunistic = 1, reuse_internal_dependencies = 1;
  std::uint64_t used = 0, used_high = 0, reserved = 0, reserved_high = 0;
  std::uint64_t held = 0;  ///< bytes of its blocks, in use or freed
  /// A free block, reusable if the order allows.
  struct Freed {
    trilane::simulator::Range block;
    trilane::simulator::OperationPtr release;  ///< null: an immediate release by the host
  };
  std::vector<Freed> freed;                                  ///< latest last
  std::map<std::uintptr_t, trilane::simulator::Range> live;  ///< the requested ranges, by address
  std::set<std::uint64_t> streams;  ///< numbers of the streams that have used it
  bool destroyed = false;           ///< kept only until its memory is freed
};
