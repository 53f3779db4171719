// Loads the recorder's library as the driver does, and ends with the given exit code. With
// fake_cupti.cpp in place of CUPTI it then simulates calls. The second argument is the number of
// iterations. The third one selects a case:
// - After the iterations it may fork, abort, at once or when the recording is written, or exit
//   within a call.
// - "managed": it has allocated managed memory before; "maps": it has mapped memory and set a pool
//   up before; "captures": it destroyed a stream within a
//   capture.
// - Each iteration trims a pool ("trims"), makes one grow ("grows"), does not wait ("polls"), makes
// two copies by one call
//   ("batches") or launches kernels with attributes ("attributes").
// - "profiled": another tool has CUPTI, and leaves before the iterations; "profiled_late": it takes
//   CUPTI out of the process once more; "profiled_on" and "profiled_fork": it stays.
// - "capture_fails": it tries a capture that a memset breaks.
// - "pools": it makes pools grow before, for each cause once.
// - "tries_captures": it tries each kind of capture once before, and 2,000 sound ones.
// - "frees" ends with memory that goes back to its pool, "moves" with a copy within the device;
//   "shapes" copies a volume with gaps, and makes peer copies within a context and to another one.
// - "nests": it begins with a loop of its own, long enough to be taken for the iteration.
// - "helps": another thread makes a runtime call that needs no driver call; "meets": it queries a
//   stream while the first one is still in a function of the runtime.
// - "graphs" launches graphs of fake_graphs.cpp, whose library the environment names.
//   "graphs_set" also sets a node before each launch; "graphs_update" updates the whole graph;
//   "graphs_disable" disables a node; "graphs_flags" updates a graph with flags after that;
//   "graphs_before" launches one that was made unheard; "graphs_memory" one that allocates;
//   "graphs_loop" one with a conditional node;
//   "graphs_runtime" launches in a function of the runtime.
// - "graph_costs": it makes executable graphs at four places before; "graph_costs_glanced": the
//   same after 40,000 calls that do not repeat, so that later ones are only glanced at.
// - "ranges": each iteration is an NVTX range, given in one of six ways, and the calls between
//   ranges do not repeat; "ranges_runtime" waits in a function of the runtime.
#include <cupti.h>
#include <dlfcn.h>
#include <nvtx3/nvToolsExt.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <thread>

#include "fake_graphs.hpp"

namespace {

using Call = void(CUpti_CallbackId, const void*, int, CUresult);
Call* call = nullptr;
using RuntimeCall = void(CUpti_CallbackId, int);
RuntimeCall* runtime_call = nullptr;

template <typename Parameters>
void make(CUpti_CallbackId id, const Parameters& parameters, CUresult result = CUDA_SUCCESS) {
  call(id, &parameters, 0, result);
  call(id, &parameters, 1, result);
}

CUstream stream() { return reinterpret_cast<CUstream>(0x1230); }

/// Makes the calls in a function of the runtime.
template <typename Make>
void within(CUpti_CallbackId runtime, Make make_calls) {
  runtime_call(runtime, 0);
  make_calls();
  runtime_call(runtime, 1);
}

void synchronize() {
  make(CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize, cuStreamSynchronize_params{stream()});
}

/// Runs a loop of the iteration's own, each call within a function of the runtime, and others after
/// it.
void nested_loop() {
  for (int i = 0; i < 8; ++i) {
    within(CUPTI_RUNTIME_TRACE_CBID_cudaMemsetAsync_v3020, [] {
      make(CUPTI_DRIVER_TRACE_CBID_cuMemsetD32Async,
           cuMemsetD32Async_params{.dstDevice = 0x1000, .ui = 2, .N = 16, .hStream = stream()});
    });
    within(CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020, synchronize);
  }
  for (int i = 0; i < 2; ++i) {
    within(CUPTI_RUNTIME_TRACE_CBID_cudaEventRecord_v3020, [] {
      make(CUPTI_DRIVER_TRACE_CBID_cuEventRecord,
           cuEventRecord_params{.hEvent = reinterpret_cast<CUevent>(0x7890), .hStream = stream()});
    });
  }
}

template <typename Within>
void copy_batch(char* host, Within within_call) {
  CUdeviceptr to[] = {0x1000, 0x2000};
  CUdeviceptr from[] = {reinterpret_cast<CUdeviceptr>(host),
                        reinterpret_cast<CUdeviceptr>(host + 16)};
  std::size_t bytes[] = {16, 48}, holds_from[] = {0};
  CUmemcpyAttributes attributes{};
  attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  const cuMemcpyBatchAsync_v2_params batch{.dsts = to,
                                           .srcs = from,
                                           .sizes = bytes,
                                           .count = 2,
                                           .attrs = &attributes,
                                           .attrsIdxs = holds_from,
                                           .numAttrs = 1,
                                           .hStream = stream()};
  call(CUPTI_DRIVER_TRACE_CBID_cuMemcpyBatchAsync_v2, &batch, 0, CUDA_SUCCESS);
  within_call();
  call(CUPTI_DRIVER_TRACE_CBID_cuMemcpyBatchAsync_v2, &batch, 1, CUDA_SUCCESS);
}

void copy_batch(char* host) {
  copy_batch(host, [] {});
}

/// Launches one kernel that may begin early, in clusters; one with an attribute unknown to CUDA; a
/// cooperative one.
void launch_with_attributes() {
  const auto function = reinterpret_cast<CUfunction>(0x77);
  CUlaunchAttribute attributes[3]{};
  attributes[0].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  attributes[0].value.programmaticStreamSerializationAllowed = 1;
  attributes[1].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attributes[1].value.clusterDim = {2, 1, 1};
  attributes[2].id = static_cast<CUlaunchAttributeID>(31);
  CUlaunchConfig config{};
  config.gridDimX = 4;
  config.blockDimX = 32;
  config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.hStream = stream();
  config.attrs = attributes;
  config.numAttrs = 2;
  const auto launch = [&] {
    make(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
         cuLaunchKernelEx_params{
             .config = &config, .f = function, .kernelParams = nullptr, .extra = nullptr});
  };
  launch();
  config.attrs = attributes + 2;
  config.numAttrs = 1;
  launch();
  cuLaunchCooperativeKernel_params cooperative{};
  cooperative.f = function;
  cooperative.gridDimX = cooperative.gridDimY = cooperative.gridDimZ = 1;
  cooperative.blockDimX = cooperative.blockDimY = cooperative.blockDimZ = 1;
  cooperative.hStream = stream();
  make(CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel, cooperative);
}

/// Tries two captures. The first fails because of a memset, and what follows it fails, too.
void try_captures() {
  for (const bool fails : {true, false}) {
    make(
        CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2,
        cuStreamBeginCapture_v2_params{.hStream = stream(), .mode = CU_STREAM_CAPTURE_MODE_GLOBAL});
    if (fails) {
      within(CUPTI_RUNTIME_TRACE_CBID_cudaMemset_v3020, [] {
        make(CUPTI_DRIVER_TRACE_CBID_cuMemsetD8_v2,
             cuMemsetD8_v2_params{.dstDevice = 0x1000, .uc = 1, .N = 64},
             CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
      });
      make(CUPTI_DRIVER_TRACE_CBID_cuMemsetD32Async,
           cuMemsetD32Async_params{.dstDevice = 0x1000, .ui = 1, .N = 16, .hStream = stream()},
           CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    }
    make(CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture,
         cuStreamEndCapture_params{.hStream = stream(), .phGraph = nullptr},
         fails ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS);
  }
}

/// Copies two slices of three rows; those at the destination are five rows apart.
void copy_shapes() {
  CUDA_MEMCPY3D block{};
  block.srcMemoryType = block.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  block.srcDevice = 0x1000;
  block.dstDevice = 0x2000;
  block.srcPitch = 16;
  block.dstPitch = 32;
  block.dstHeight = 5;
  block.WidthInBytes = 16;
  block.Height = 3;
  block.Depth = 2;
  make(CUPTI_DRIVER_TRACE_CBID_cuMemcpy3DAsync_v2,
       cuMemcpy3DAsync_v2_params{.pCopy = &block, .hStream = stream()});
  for (const std::uintptr_t context : {0x10, 0x20}) {
    make(CUPTI_DRIVER_TRACE_CBID_cuMemcpyPeerAsync,
         cuMemcpyPeerAsync_params{.dstDevice = 0x2000,
                                  .dstContext = reinterpret_cast<CUcontext>(0x10),
                                  .srcDevice = 0x1000,
                                  .srcContext = reinterpret_cast<CUcontext>(context),
                                  .ByteCount = 64,
                                  .hStream = stream()});
  }
}

/// Returns the function of the fake driver, which it loads.
template <typename Function>
Function* of_driver(const char* name) {
  static void* const driver = dlopen(std::getenv("TRILANE_FAKE_DRIVER"), RTLD_NOW);
  return reinterpret_cast<Function*>(dlsym(driver, name));
}

/// Takes a MiB more of a pool each time.
void allocate_and_free() {
  static std::uint64_t reserved = 0;
  reserved += 1 << 20;
  of_driver<SetPool>("fake_pool")(reinterpret_cast<CUmemoryPool>(0x9000), reserved, UINT64_MAX);
  CUdeviceptr memory = std::uint64_t{1} << 40;
  make(CUPTI_DRIVER_TRACE_CBID_cuMemAllocAsync,
       cuMemAllocAsync_params{.dptr = &memory, .bytesize = 64, .hStream = stream()});
  make(CUPTI_DRIVER_TRACE_CBID_cuMemFreeAsync,
       cuMemFreeAsync_params{.dptr = memory, .hStream = stream()});
}

void iterate(std::string_view how) {
  static char host[64];
  make(CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2,
       cuMemcpyHtoDAsync_v2_params{
           .dstDevice = 0x1000, .srcHost = host, .ByteCount = 64, .hStream = stream()});
  // The driver makes a call of its own inside, which is not the application's.
  const cuMemsetD8Async_params memset{.dstDevice = 0x1000, .uc = 1, .N = 64, .hStream = stream()};
  call(CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async, &memset, 0, CUDA_SUCCESS);
  make(CUPTI_DRIVER_TRACE_CBID_cuMemsetD32Async,
       cuMemsetD32Async_params{.dstDevice = 0x1000, .ui = 1, .N = 16, .hStream = stream()});
  call(CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async, &memset, 1, CUDA_SUCCESS);
  if (how == "trims") {
    make(CUPTI_DRIVER_TRACE_CBID_cuMemPoolTrimTo,
         cuMemPoolTrimTo_params{.pool = nullptr, .minBytesToKeep = 0});
  }
  if (how == "grows") allocate_and_free();
  if (how == "batches") copy_batch(host);
  if (how == "shapes") copy_shapes();
  if (how == "attributes") launch_with_attributes();
  if (how == "capture_fails") try_captures();
  if (how == "nests") nested_loop();
  if (how == "helps") {
    std::thread([] { within(CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020, [] {}); }).join();
  }
  make(CUPTI_DRIVER_TRACE_CBID_cuStreamQuery, cuStreamQuery_params{.hStream = stream()},
       CUDA_ERROR_NOT_READY);
  if (how == "polls") return;
  if (how == "moves") {
    return make(CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoD_v2,
                cuMemcpyDtoD_v2_params{.dstDevice = 0x2000, .srcDevice = 0x1000, .ByteCount = 64});
  }
  if (how == "meets") {
    within(CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020, [] {
      synchronize();
      std::thread([] {
        within(CUPTI_RUNTIME_TRACE_CBID_cudaStreamQuery_v3020, [] {
          make(CUPTI_DRIVER_TRACE_CBID_cuStreamQuery, cuStreamQuery_params{.hStream = stream()});
        });
      }).join();
    });
  } else if (how == "nests" || how == "ranges_runtime") {
    within(CUPTI_RUNTIME_TRACE_CBID_cudaStreamSynchronize_v3020, synchronize);
  } else {
    synchronize();
  }
  if (how == "frees") {
    make(CUPTI_DRIVER_TRACE_CBID_cuMemFreeAsync,
         cuMemFreeAsync_params{.dptr = 0x3000, .hStream = stream()});
  }
}

/// Loads modules; one has no readable code, and is unloaded again.
void load_modules(void* cupti) {
  using Module = void(CUpti_CallbackId, std::uint32_t, const char*, std::size_t);
  const auto module = reinterpret_cast<Module*>(dlsym(cupti, "fake_module"));
  if (module == nullptr) return;
  module(CUPTI_CBID_RESOURCE_MODULE_LOADED, 1, nullptr, 100);
  module(CUPTI_CBID_RESOURCE_MODULE_LOADED, 2, "\177ELF, and no more", 18);
  module(CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING, 2, nullptr, 0);
}

/// Another tool's subscription to CUPTI.
struct OtherTool {
  explicit OtherTool(void* cupti)
      : subscribe(reinterpret_cast<decltype(subscribe)>(dlsym(cupti, "cuptiSubscribe"))),
        unsubscribe(reinterpret_cast<decltype(unsubscribe)>(dlsym(cupti, "cuptiUnsubscribe"))) {}

  bool comes() {
    return subscribe(
               &handle, [](auto...) {}, nullptr) == CUPTI_SUCCESS;
  }
  /// Returns once the recorder has come in its place, or does not come.
  void leaves() {
    int tries = 0;
    do {
      unsubscribe(handle);
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    } while (++tries < 20 && comes());
  }

  decltype(&cuptiSubscribe) subscribe;
  decltype(&cuptiUnsubscribe) unsubscribe;
  CUpti_SubscriberHandle handle = nullptr;
};

void begin_as(std::string_view how) {
  if (how == "grows") of_driver<SetPool>("fake_pool");
  if (how == "threads") {
    std::thread([] { synchronize(); }).join();
  }
  if (how == "captures") {  // into a stream that is destroyed before the capture ends
    const auto captured = reinterpret_cast<CUstream>(0x4560);
    make(CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2,
         cuStreamBeginCapture_v2_params{.hStream = captured,
                                        .mode = CU_STREAM_CAPTURE_MODE_RELAXED});
    make(CUPTI_DRIVER_TRACE_CBID_cuStreamDestroy_v2, cuStreamDestroy_v2_params{captured});
  }
  CUdeviceptr memory = 0x2000;
  if (how == "managed") {
    make(CUPTI_DRIVER_TRACE_CBID_cuMemAllocManaged,
         cuMemAllocManaged_params{.dptr = &memory, .bytesize = 64, .flags = 1});
  }
}

/// Makes the memory at 0x1000 by cuMemMap.
void map_memory() {
  make(CUPTI_DRIVER_TRACE_CBID_cuMemMap,
       cuMemMap_params{.ptr = 0x1000, .size = 0x1000, .offset = 0, .handle = 1, .flags = 0});
  make(CUPTI_DRIVER_TRACE_CBID_cuMemPoolSetAttribute,
       cuMemPoolSetAttribute_params{.pool = nullptr, .attr = {}, .value = nullptr});
}

CUgraph loop_graph(void* driver) {
  static FakeLoop loop = reinterpret_cast<MakeLoop*>(dlsym(driver, "fake_loop"))();
  CUgraphNodeParams parameters{};
  parameters.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  parameters.conditional.size = 1;
  parameters.conditional.phGraph_out = &loop.body;
  make(CUPTI_DRIVER_TRACE_CBID_cuGraphAddNode_v2,
       cuGraphAddNode_v2_params{.phGraphNode = &loop.node,
                                .hGraph = loop.graph,
                                .dependencies = nullptr,
                                .dependencyData = nullptr,
                                .numDependencies = 0,
                                .nodeParams = &parameters});
  return loop.graph;
}

CUgraphExec executable() { return reinterpret_cast<CUgraphExec>(0x4560); }

FakeGraph instantiated(void* driver, std::string_view how) {
  const auto make_graph = reinterpret_cast<MakeGraph*>(dlsym(driver, "fake_graph"));
  const auto make_memory_graph =
      reinterpret_cast<MakeMemoryGraph*>(dlsym(driver, "fake_memory_graph"));
  static CUgraphExec made = executable();
  FakeGraph graph = make_graph();
  if (how == "graphs_memory") graph.graph = make_memory_graph();
  if (how == "graphs_loop") graph.graph = loop_graph(driver);
  const unsigned long long flags =
      how == "graphs_flags" ? CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH : 0;
  if (how == "graphs_before") return graph;
  make(CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithFlags,
       cuGraphInstantiateWithFlags_params{
           .phGraphExec = &made, .hGraph = graph.graph, .flags = flags});
  return graph;
}

void iterate_graphs(void* driver, FakeGraph& graph, std::string_view how, int turn) {
  const auto spoil = reinterpret_cast<SpoilGraph*>(dlsym(driver, "fake_spoil"));
  std::uint64_t pointer = 0x1000;
  auto number = static_cast<std::uint32_t>(turn);
  void* parameters[] = {&pointer, &number};
  graph.parameters.kernelParams = parameters;
  if ((how == "graphs_disable" || how == "graphs_flags") && turn == 0) {
    make(CUPTI_DRIVER_TRACE_CBID_cuGraphNodeSetEnabled,
         cuGraphNodeSetEnabled_params{
             .hGraphExec = executable(), .hNode = graph.kernel, .isEnabled = 0});
  }
  if (how == "graphs_set") {
    make(CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams_v2,
         cuGraphExecKernelNodeSetParams_v2_params{
             .hGraphExec = executable(), .hNode = graph.kernel, .nodeParams = &graph.parameters});
  } else if (how == "graphs_update" || how == "graphs_flags") {
    const auto make_graph = reinterpret_cast<MakeGraph*>(dlsym(driver, "fake_graph"));
    const FakeGraph next = make_graph();
    make(CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate_v2,
         cuGraphExecUpdate_v2_params{
             .hGraphExec = executable(), .hGraph = next.graph, .resultInfo = nullptr});
    spoil(next.graph);
  }
  const cuGraphLaunch_params launch{.hGraph = executable(), .hStream = stream()};
  if (how == "graphs_runtime") {
    within(CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000, [&] {
      const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(200);
      while (std::chrono::steady_clock::now() < until) {
      }
      make(CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, launch);
    });
  } else {
    make(CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, launch);
  }
  synchronize();
}

void run_graphs(int iterations, std::string_view how) {
  void* const driver = dlopen(std::getenv("TRILANE_FAKE_DRIVER"), RTLD_NOW);
  FakeGraph graph = instantiated(driver, how);
  // Without another node of it to come, the graph may be destroyed.
  if (how == "graphs") reinterpret_cast<SpoilGraph*>(dlsym(driver, "fake_spoil"))(graph.graph);
  for (int i = 0; i < iterations; ++i) iterate_graphs(driver, graph, how, i);
}

/// Tries captures of streams `one` and `two`, whose states the fake driver keeps.
struct TriedCaptures {
  SetCapture* const set;
  const CUstream one = stream(), two = reinterpret_cast<CUstream>(0x4560),
                 three = reinterpret_cast<CUstream>(0x5670);
  const CUevent event = reinterpret_cast<CUevent>(0x7890);
  CUdeviceptr memory = 0x8000;
  int nodes = 0;

  void begin(CUstream which, CUstreamCaptureMode mode) {
    make(CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2,
         cuStreamBeginCapture_v2_params{.hStream = which, .mode = mode});
    set(which, CU_STREAM_CAPTURE_STATUS_ACTIVE, nodes);
  }
  void end(CUstream which, CUresult code = CUDA_SUCCESS) {
    if (code != CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD) {
      set(which, CU_STREAM_CAPTURE_STATUS_NONE, nodes);
    }
    make(CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture,
         cuStreamEndCapture_params{.hStream = which, .phGraph = nullptr}, code);
  }
  void fill(CUstream which, CUresult code = CUDA_SUCCESS) const {
    make(CUPTI_DRIVER_TRACE_CBID_cuMemsetD32Async,
         cuMemsetD32Async_params{.dstDevice = 0x1000, .ui = 1, .N = 16, .hStream = which}, code);
  }
  void allocate(CUresult code, CUstream breaks = nullptr) {
    if (breaks != nullptr) set(breaks, CU_STREAM_CAPTURE_STATUS_INVALIDATED, nodes);
    make(CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2,
         cuMemAlloc_v2_params{.dptr = &memory, .bytesize = 64}, code);
  }
  void fork(CUstream to) const {
    make(CUPTI_DRIVER_TRACE_CBID_cuEventRecord, cuEventRecord_params{event, one});
    set(to, CU_STREAM_CAPTURE_STATUS_ACTIVE, nodes);
    make(CUPTI_DRIVER_TRACE_CBID_cuStreamWaitEvent, cuStreamWaitEvent_params{to, event, 0});
    fill(to);
  }
  void fork_without_join() const { fork(three); }
  void join() const {
    make(CUPTI_DRIVER_TRACE_CBID_cuEventRecord, cuEventRecord_params{event, two});
    make(CUPTI_DRIVER_TRACE_CBID_cuStreamWaitEvent, cuStreamWaitEvent_params{one, event, 0});
    set(two, CU_STREAM_CAPTURE_STATUS_NONE, nodes);
  }
  template <typename Action>
  void elsewhere(Action action) {
    std::thread(action).join();
  }

  void leaves_out() {
    char host[64];
    begin(one, CU_STREAM_CAPTURE_MODE_GLOBAL);
    fill(one);
    fill(two);
    copy_batch(host);
    make(CUPTI_DRIVER_TRACE_CBID_cuMemAllocAsync,
         cuMemAllocAsync_params{.dptr = &memory, .bytesize = 64, .hStream = one});
    elsewhere([&] { fill(two); });  // of another thread, and so no part of the capture
    end(one);
  }
  void breaks_elsewhere() {
    begin(one, CU_STREAM_CAPTURE_MODE_GLOBAL);
    elsewhere([&] { allocate(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, one); });
    fill(one, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    end(one, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  }
  void refuses() {
    begin(one, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    make(CUPTI_DRIVER_TRACE_CBID_cuEventQuery, cuEventQuery_params{event},
         CUDA_ERROR_CAPTURED_EVENT);
    elsewhere([&] { end(one, CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD); });
    end(one);
  }
  void leaves_unjoined() {
    begin(one, CU_STREAM_CAPTURE_MODE_RELAXED);
    fork(two);
    join();
    fork_without_join();
    end(one, CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
    set(three, CU_STREAM_CAPTURE_STATUS_NONE, nodes);
  }
  void breaks_one_of_two() {
    begin(one, CU_STREAM_CAPTURE_MODE_RELAXED);
    begin(two, CU_STREAM_CAPTURE_MODE_RELAXED);
    allocate(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, two);
    elsewhere([&] { end(one); });
    end(two, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  }
  void succeeds() {
    begin(one, CU_STREAM_CAPTURE_MODE_GLOBAL);
    fork(two);
    char host[64];
    copy_batch(host, [this] { set(one, CU_STREAM_CAPTURE_STATUS_ACTIVE, ++nodes); });
    join();
    end(one);
  }
};

void try_each_capture() {
  void* const driver = dlopen(std::getenv("TRILANE_FAKE_DRIVER"), RTLD_NOW);
  TriedCaptures tried{.set = reinterpret_cast<SetCapture*>(dlsym(driver, "fake_capture"))};
  synchronize();
  tried.leaves_out();
  tried.breaks_elsewhere();
  tried.refuses();
  tried.leaves_unjoined();
  tried.breaks_one_of_two();
  for (int i = 0; i < 2000; ++i) tried.succeeds();
}

/// Makes executable graphs that take device memory, as the fake driver says.
struct CostlyGraphs {
  void* const driver;
  TakeMemory* const take = reinterpret_cast<TakeMemory*>(dlsym(driver, "fake_take"));
  SetCapture* const capture = reinterpret_cast<SetCapture*>(dlsym(driver, "fake_capture"));
  FakeGraph graph = reinterpret_cast<MakeGraph*>(dlsym(driver, "fake_graph"))();
  std::uintptr_t latest = 0x10000;

  template <typename Parameters>
  void make_taking(int mib, CUpti_CallbackId id, const Parameters& parameters) const {
    call(id, &parameters, 0, CUDA_SUCCESS);
    take(static_cast<std::size_t>(mib) << 20);
    call(id, &parameters, 1, CUDA_SUCCESS);
  }
  CUgraphExec instantiate(int mib) {
    auto made = reinterpret_cast<CUgraphExec>(latest += 16);
    make_taking(mib, CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithFlags,
                cuGraphInstantiateWithFlags_params{
                    .phGraphExec = &made, .hGraph = graph.graph, .flags = 0});
    return made;
  }
  void launch(CUgraphExec one, int mib = 0) const {
    make_taking(mib, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, cuGraphLaunch_params{one, stream()});
  }
  static void destroy(CUgraphExec one) {
    make(CUPTI_DRIVER_TRACE_CBID_cuGraphExecDestroy, cuGraphExecDestroy_params{one});
  }

  /// The second launch takes memory that is not the graph's.
  [[gnu::noinline]] void pile_up() {
    const CUgraphExec one = instantiate(1);
    make_taking(2, CUPTI_DRIVER_TRACE_CBID_cuGraphUpload, cuGraphUpload_params{one, stream()});
    launch(one, 3);
    launch(one, 64);
  }
  [[gnu::noinline]] void launch_once() {
    const CUgraphExec one = instantiate(0);
    launch(one);
    destroy(one);
  }
  /// While a capture is under way nothing is measured.
  [[gnu::noinline]] void launch_never() {
    const auto captured = reinterpret_cast<CUstream>(0x5670);
    make(CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2,
         cuStreamBeginCapture_v2_params{captured, CU_STREAM_CAPTURE_MODE_RELAXED});
    capture(captured, CU_STREAM_CAPTURE_STATUS_ACTIVE, 0);
    const CUgraphExec one = instantiate(64);
    capture(captured, CU_STREAM_CAPTURE_STATUS_NONE, 0);
    make(CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture, cuStreamEndCapture_params{captured, nullptr});
    destroy(one);
  }
  /// Two graphs that are launched in turns and changed; while one is made, memory becomes free.
  [[gnu::noinline]] void launch_often() {
    CUgraphExec both[2];
    for (CUgraphExec& one : both) one = instantiate(&one == both ? 5 : -5);
    launch(both[0]);
    launch(both[0], 64);  // the other one is not launched yet
    for (int i = 0; i < 20; ++i) launch(both[i % 2]);
    for (int i = 0; i < 3; ++i) {
      make_taking(64, CUPTI_DRIVER_TRACE_CBID_cuGraphExecUpdate_v2,
                  cuGraphExecUpdate_v2_params{both[0], graph.graph, nullptr});
    }
    make(CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams_v2,
         cuGraphExecKernelNodeSetParams_v2_params{both[1], graph.kernel, &graph.parameters});
    make(CUPTI_DRIVER_TRACE_CBID_cuGraphNodeSetEnabled,
         cuGraphNodeSetEnabled_params{both[1], graph.kernel, 0});
  }
};

void make_costly_graphs(bool glanced) {
  CostlyGraphs graphs{dlopen(std::getenv("TRILANE_FAKE_DRIVER"), RTLD_NOW)};
  unsigned random = 1;
  for (int i = 0; glanced && i < 40'000; ++i) {
    random = random * 1'664'525u + 1'013'904'223u;
    const auto event = reinterpret_cast<CUevent>(0x7890);
    if (random >> 31 != 0) {
      make(CUPTI_DRIVER_TRACE_CBID_cuEventRecord, cuEventRecord_params{event, stream()});
    } else {
      make(CUPTI_DRIVER_TRACE_CBID_cuStreamWaitEvent, cuStreamWaitEvent_params{stream(), event, 0});
    }
  }
  for (int i = 0; i < 12; ++i) graphs.pile_up();
  for (int i = 0; i < 12; ++i) graphs.launch_once();
  for (int i = 0; i < 12; ++i) graphs.launch_never();
  graphs.launch_often();
}

/// Makes pools grow by each cause. The fake driver keeps what they have reserved.
struct GrowingPools {
  static constexpr std::uint64_t mib = 1 << 20, first = std::uint64_t{1} << 40;
  SetPool* const set;
  const CUmemoryPool current = reinterpret_cast<CUmemoryPool>(0x9000),
                     own = reinterpret_cast<CUmemoryPool>(0x9100);
  const CUevent event = reinterpret_cast<CUevent>(0x7890);
  std::uint64_t threshold = UINT64_MAX, reserved = 0, latest = 0;

  static CUstream apart(std::uintptr_t number) { return reinterpret_cast<CUstream>(0xa0 + number); }

  /// Allocates `size` MiB at the place `at`, in MiB. `after`: what the pool has then reserved.
  void allocate(CUstream in, std::uint64_t at, std::uint64_t size, std::uint64_t after) const {
    set(current, after * mib, threshold);
    CUdeviceptr memory = first + at * mib;
    make(CUPTI_DRIVER_TRACE_CBID_cuMemAllocAsync,
         cuMemAllocAsync_params{.dptr = &memory, .bytesize = size * mib, .hStream = in});
  }
  void allocate_from_own() const {
    set(own, 32 * mib, 0);
    CUdeviceptr memory = first + 0x1000 * mib;
    make(CUPTI_DRIVER_TRACE_CBID_cuMemAllocFromPoolAsync,
         cuMemAllocFromPoolAsync_params{
             .dptr = &memory, .bytesize = mib, .pool = own, .hStream = apart(0)});
  }
  static void free(CUstream in, std::uint64_t at) {
    make(CUPTI_DRIVER_TRACE_CBID_cuMemFreeAsync,
         cuMemFreeAsync_params{.dptr = first + at * mib, .hStream = in});
  }
  void order(CUstream before, CUstream after) const {
    make(CUPTI_DRIVER_TRACE_CBID_cuEventRecord, cuEventRecord_params{event, before});
    make(CUPTI_DRIVER_TRACE_CBID_cuStreamWaitEvent, cuStreamWaitEvent_params{after, event, 0});
  }
  static void wait_for(CUstream one) {
    make(CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize, cuStreamSynchronize_params{one});
  }

  /// Frees a block of 32 MiB, lets `order_them` order the streams, and allocates as much
  /// elsewhere.
  void free_and_grow(CUstream frees, CUstream allocates, std::uint64_t by, auto order_them) {
    free(frees, latest);
    order_them();
    allocate(allocates, latest + 100, 32, reserved += by);
    allocate(frees, latest, 32, reserved);
    latest += 100;
  }
  void grow_in_any_order() {
    const CUstream one = apart(0), two = apart(1), three = apart(2);
    const auto blocking = reinterpret_cast<CUstream>(0xc0),
               other_blocking = reinterpret_cast<CUstream>(0xc1);
    allocate(one, latest, 32, reserved += 64);
    free_and_grow(two, one, 1, [&] { order(two, three), order(three, one); });
    free_and_grow(two, one, 2, [&] { wait_for(two); });
    free_and_grow(blocking, nullptr, 3, [] {});  // the legacy stream waits
    free_and_grow(one, one, 4, [] {});
    order(two, one);  // too early
    free_and_grow(two, one, 5, [] {});
    free_and_grow(two, one, 6, [&] { order(three, one), wait_for(three); });
    free_and_grow(two, nullptr, 7, [] {});  // for which the legacy stream does not wait
    free_and_grow(two, one, 11, [] { make(CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize, 0); });
    free_and_grow(blocking, other_blocking, 12, [] {
      make(CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async,
           cuMemsetD8Async_params{.dstDevice = 0x1000, .uc = 1, .N = 64, .hStream = nullptr});
    });
    free_and_grow(blocking, one, 13, [] {
      static char host[64];
      make(CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2,
           cuMemcpyDtoH_v2_params{.dstHost = host, .srcDevice = 0x1000, .ByteCount = 64});
    });
    free_and_grow(blocking, other_blocking, 14, [] {});
  }
  void grow_by_size() {
    for (const std::uint64_t at : {0, 100, 200}) free(apart(0), at);
    allocate(apart(0), 100, 16, reserved);
    allocate(apart(0), 1000, 80, reserved += 8);  // as much as the rest
    allocate(apart(0), 1100, 81, reserved += 9);
  }
  void give_back() {
    threshold = 0;
    allocate(apart(0), 1200, 1, reserved);
    set(current, (reserved - 50) * mib, threshold);
    wait_for(apart(0));
    allocate(apart(0), 1201, 1, reserved - 20);
    allocate(apart(0), 1202, 100, reserved);
    allocate(apart(0), 1400, 1, reserved += 10);
  }
};

void grow_pools() {
  GrowingPools pools{.set = of_driver<SetPool>("fake_pool")};
  pools.grow_in_any_order();
  pools.grow_by_size();
  pools.give_back();
  for (int i = 0; i < 200; ++i) pools.allocate(pools.apart(0), 2000, 1, pools.reserved);
  pools.allocate_from_own();
  pools.allocate_from_own();
  make(CUPTI_DRIVER_TRACE_CBID_cuMemPoolDestroy, cuMemPoolDestroy_params{pools.own});
  pools.allocate_from_own();
}

nvtxEventAttributes_t event_called(const char* name) {
  nvtxEventAttributes_t event{};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = name;
  return event;
}

/// One range is inside it, and one around it.
void iterate_in_range(std::string_view how) {
  static const nvtxDomainHandle_t domain = nvtxDomainCreateA("application");
  const nvtxEventAttributes_t event = event_called("step");
  nvtxRangeId_t range = 0;
  nvtxRangePushA("outer");
  if (how == "ranges" || how == "ranges_runtime") nvtxRangePushA("step");
  if (how == "ranges_event") nvtxRangePushEx(&event);
  if (how == "ranges_domain") nvtxDomainRangePushEx(domain, &event);
  if (how == "ranges_start") range = nvtxRangeStartA("step");
  if (how == "ranges_start_event") range = nvtxRangeStartEx(&event);
  if (how == "ranges_start_domain") range = nvtxDomainRangeStartEx(domain, &event);
  nvtxRangePushA("inner");
  nvtxRangePop();
  iterate(how);
  if (how == "ranges_domain") {
    nvtxDomainRangePop(domain);
  } else if (how == "ranges_start_domain") {
    nvtxDomainRangeEnd(domain, range);
  } else if (how.starts_with("ranges_start")) {
    nvtxRangeEnd(range);
  } else {
    nvtxRangePop();
  }
  nvtxRangePop();
}

void run_ranges(int iterations, std::string_view how) {
  for (int i = 0; i < iterations; ++i) {
    if (nvtxRangePop() != NVTX_NO_PUSH_POP_TRACKING) std::exit(96);  // there is no range
    iterate_in_range(how);
    for (int k = 0; k < i * i % 17; ++k) {
      synchronize();
    }
  }
}

void end_as(std::string_view how) {
  if (how == "late_abort") std::this_thread::sleep_for(std::chrono::seconds(1));
  if (how.ends_with("abort")) std::abort();
  if (how.ends_with("fork") && fork() != 0) wait(nullptr);
  if (how == "within") call(CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize, nullptr, 0, CUDA_SUCCESS);
}

}  // namespace

int main(int argc, char** argv) {
  void* const library = dlopen(std::getenv("CUDA_INJECTION64_PATH"), RTLD_NOW);
  if (library == nullptr) {
    std::printf("%s\n", dlerror());
    return 99;
  }
  const auto initialize = reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection"));
  if (initialize == nullptr) return 98;
  const std::string_view how = argc > 3 ? argv[3] : "";
  void* const cupti = argc > 2 ? dlopen("libcupti.so.13", RTLD_NOW) : nullptr;
  const bool profiled = how.starts_with("profiled");
  std::optional<OtherTool> other;
  if (profiled && !other.emplace(cupti).comes()) return 95;
  std::printf("loaded %d\n", initialize());
  std::fflush(stdout);
  if (argc > 2) {
    call = reinterpret_cast<Call*>(dlsym(cupti, "fake_call"));
    runtime_call = reinterpret_cast<RuntimeCall*>(dlsym(cupti, "fake_runtime_call"));
    if (call == nullptr || runtime_call == nullptr) return 97;
    if (how == "profiled_late") reinterpret_cast<void (*)()>(dlsym(cupti, "fake_finalize_late"))();
    if (how == "profiled" || how == "profiled_late") other->leaves();
    load_modules(cupti);
    begin_as(how);
    if (how == "maps") map_memory();
    if (how == "tries_captures") try_each_capture();
    if (how.starts_with("graph_costs")) make_costly_graphs(how.ends_with("glanced"));
    if (how == "pools") grow_pools();
    if (how.starts_with("graphs")) {
      run_graphs(std::atoi(argv[2]), how);
    } else if (how.starts_with("ranges")) {
      run_ranges(std::atoi(argv[2]), how);
    } else {
      for (int i = 0; i < std::atoi(argv[2]); ++i) iterate(how);
    }
    end_as(how);
  }
  return argc > 1 ? std::atoi(argv[1]) : 0;
}
