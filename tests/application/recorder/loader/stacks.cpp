// Makes calls from several functions, for commands/cli/record_stacks_test.cpp, which finds their
// lines by the marks. CMakeLists.txt builds it with and without debug information and inlining.
#include <cupti.h>
#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>

using Call = void(CUpti_CallbackId, const void*, int, CUresult);
Call* call = nullptr;

/// In stacks_library.cpp.
void wait_in_library(Call* make);

namespace stacks {

template <typename Parameters>
[[gnu::always_inline]] inline void make(CUpti_CallbackId id, const Parameters& parameters) {
  call(id, &parameters, 0, CUDA_SUCCESS);
  call(id, &parameters, 1, CUDA_SUCCESS);  // mark: make
}

[[gnu::noinline]] void try_capture() {
  const cuStreamBeginCapture_v2_params begin{.hStream = {}, .mode = {}};
  make(CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2, begin);  // mark: begin
  const cuMemAlloc_v2_params allocation{.dptr = nullptr, .bytesize = 4};
  call(CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2, &allocation, 0, CUDA_SUCCESS);
  call(CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2, &allocation, 1,
       CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);  // mark: breaks
  const cuStreamEndCapture_params end{.hStream = {}, .phGraph = nullptr};
  call(CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture, &end, 0, CUDA_SUCCESS);
  call(CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture, &end, 1, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

inline void fill(unsigned value) {
  const cuMemsetD32Async_params memset{.dstDevice = 0x1000, .ui = value, .N = 16, .hStream = {}};
  make(CUPTI_DRIVER_TRACE_CBID_cuMemsetD32Async, memset);  // mark: fill
}

struct Model {
  template <typename T>
  [[gnu::noinline]] void forward(T value) const {
    fill(value);  // mark: forward
    asm volatile("");
  }
};

[[gnu::noinline]] void step(const Model& model) {
  model.forward(2u);  // mark: step forward
  fill(1);            // mark: step fill
  asm volatile("");
}

}  // namespace stacks

int main() {
  void* const library = dlopen(std::getenv("CUDA_INJECTION64_PATH"), RTLD_NOW);
  void* const cupti = dlopen("libcupti.so.13", RTLD_NOW);
  if (library == nullptr || cupti == nullptr) return 99;
  reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection"))();
  call = reinterpret_cast<Call*>(dlsym(cupti, "fake_call"));
  const stacks::Model model;
  stacks::try_capture();  // mark: main capture
  for (int i = 0; i < 100; ++i) {
    step(model);            // mark: main step
    wait_in_library(call);  // mark: main wait
  }
}
