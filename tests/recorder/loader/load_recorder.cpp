// Loads the recorder's library as the driver does, without a driver, calls it, and ends with the
// code that it is given.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  void* const library = dlopen(std::getenv("CUDA_INJECTION64_PATH"), RTLD_NOW);
  if (library == nullptr) {
    std::printf("%s\n", dlerror());
    return 99;
  }
  const auto initialize = reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection"));
  if (initialize == nullptr) return 98;
  std::printf("loaded %d\n", initialize());
  return argc > 1 ? std::atoi(argv[1]) : 0;
}
