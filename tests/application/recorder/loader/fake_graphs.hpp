// Graphs as the fake driver keeps them, and how an application may use them.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>

/// A graph of a copy of 64 bytes from the host to 0x1000, then a kernel, an empty node, and
/// finally a child graph that sets 32 bytes at 0x1010.
struct FakeGraph {
  CUgraph graph;
  CUgraphNode kernel;
  CUDA_KERNEL_NODE_PARAMS parameters;  ///< of the kernel: a pointer and a number
};
using MakeGraph = FakeGraph();
/// Makes a graph that cannot be cloned: allocates 64 bytes at 0x9000, sets them, copies them to the
/// host and frees them.
using MakeMemoryGraph = CUgraph();
/// A graph that cannot be cloned: its only node decides whether `body` runs, which sets 64 bytes at
/// 0x1000.
struct FakeLoop {
  CUgraph graph, body;
  CUgraphNode node;
};
using MakeLoop = FakeLoop();
/// Sets whether the stream is captured, and the number of nodes of the graph, which all share.
using SetCapture = void(CUstream, CUstreamCaptureStatus, int nodes);
/// Takes device memory, as a clone of a graph does.
using TakeMemory = void(std::size_t bytes);
/// Sets what a pool has reserved and its release threshold, in bytes. The pool that is not null
/// owns all memory behind the first 4 GiB.
using SetPool = void(CUmemoryPool, std::uint64_t reserved, std::uint64_t threshold);
/// Sets the size of the graph's copy to nothing, and destroys the graph.
using SpoilGraph = void(CUgraph);
