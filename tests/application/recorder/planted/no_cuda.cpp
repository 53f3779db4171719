// Uses no CUDA.
#include <cstdio>

int main() { std::printf("checksum 0\n"); }
