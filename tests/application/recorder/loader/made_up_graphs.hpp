// Graphs as the made-up driver keeps them, and what an application may do with them.
#pragma once

#include <cuda.h>

/// A graph of a copy from the host of 64 bytes to 0x1000, a kernel behind it, an empty node behind
/// that, and behind all a child graph that sets 32 bytes at 0x1010.
struct MadeUpGraph {
  CUgraph graph;
  CUgraphNode kernel;
  CUDA_KERNEL_NODE_PARAMS parameters;  ///< of the kernel; two, a pointer and a number
};
using MakeGraph = MadeUpGraph();
/// One that cannot be cloned: allocates 64 bytes at 0x9000, sets them, copies them to the host and
/// frees them.
using MakeMemoryGraph = CUgraph();
/// Sets the size of the graph's copy to nothing, and destroys the graph.
using SpoilGraph = void(CUgraph);
