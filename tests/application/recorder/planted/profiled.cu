// Another tool has CUPTI for the first half of the iterations.
#include <dlfcn.h>

#include <string>

#include "planted_app.hpp"

namespace {

void ignore(void*, int, unsigned, const void*) {}

class Profiler {
 public:
  Profiler() {
    for (const char* folder :
         {"", "/usr/local/cuda/lib64/", "/usr/local/cuda/extras/CUPTI/lib64/"}) {
      if (library_ == nullptr) {
        library_ = dlopen((std::string(folder) + "libcupti.so.13").c_str(), RTLD_NOW);
      }
    }
    const auto subscribe = reinterpret_cast<int (*)(void**, decltype(&ignore), void*)>(
        dlsym(library_, "cuptiSubscribe"));
    if (subscribe == nullptr || subscribe(&subscriber_, &ignore, nullptr) != 0) std::exit(8);
  }
  void leave() {
    reinterpret_cast<int (*)(void*)>(dlsym(library_, "cuptiUnsubscribe"))(subscriber_);
  }

 private:
  void* library_ = nullptr;
  void* subscriber_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  Profiler profiler;
  std::uint32_t *in = pinned(), *out = pinned(), *device = on_device(), *result = on_device();
  const cudaStream_t stream = new_stream();
  Checksum checksum;
  fill(in, 1);
  const int count = iterations(argc, argv);
  for (int i = 0; i < count; ++i) {
    if (i == count / 2) profiler.leave();
    CHECK(cudaMemcpyAsync(device, in, bytes, cudaMemcpyHostToDevice, stream));
    launch_mix(device, result, stream);
    CHECK(cudaMemcpyAsync(out, result, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    checksum.add(out, 16);
  }
  checksum.print();
}
