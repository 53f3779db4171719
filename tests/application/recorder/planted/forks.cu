// Starts a process now and then, which writes a line and ends like any program.
#include <sys/wait.h>
#include <unistd.h>

#include "planted_app.hpp"

int main(int argc, char** argv) {
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device(), *b = on_device();
  cudaStream_t stream = new_stream();
  Checksum checksum;
  fill(in, 8);
  for (int i = 0; i < iterations(argc, argv); ++i) {
    CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
    launch_mix(a, b, stream);
    CHECK(cudaMemcpyAsync(out, b, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    checksum.add(out, 16);
    if (i % 50 != 3) continue;
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      std::printf("child %d\n", i);
      std::exit(0);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0) std::printf("child failed\n");
  }
  checksum.print();
}
