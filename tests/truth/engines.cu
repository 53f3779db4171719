// Engines: a stream for copies in, one for memsets and kernels and one for copies out. Events order
// a chunk's stages, and protect a lane's memory until the previous chunk is done with it.
#include "tests/truth/transform.cuh"

int plain::run(int count, char** words) {
  const Job job = begin(count, words);
  const Preset& p = job.preset;
  load_transform();

  const double start = now_us();
  const auto make_event = [] {
    cudaEvent_t event;
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    return event;
  };
  cudaStream_t origin, copies_in, kernels, copies_out;
  for (cudaStream_t* stream : {&origin, &copies_in, &kernels, &copies_out}) {
    check(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
  }
  cudaEvent_t forked = make_event(), done[3] = {make_event(), make_event(), make_event()};
  struct Lane {
    unsigned char* memory;
    cudaEvent_t copied_in, computed, copied_out;
  };
  std::vector<Lane> lanes;
  for (unsigned lane = 0; lane < p.lanes; ++lane) {
    unsigned char* memory;
    check(cudaMalloc(&memory, p.in_bytes + p.out_bytes));
    lanes.push_back({memory, make_event(), make_event(), make_event()});
  }
  const double setup_us = now_us() - start;

  return measure("engines", job, setup_us, [&] {
    check(cudaEventRecord(forked, origin));
    for (cudaStream_t stream : {copies_in, kernels, copies_out}) {
      check(cudaStreamWaitEvent(stream, forked));
    }

    for (unsigned chunk = 0; chunk < p.chunks; ++chunk) {
      const Lane& lane = lanes[chunk % p.lanes];
      const bool used_before = chunk >= p.lanes;
      unsigned char* in = lane.memory;
      unsigned char* out = in + p.in_bytes;

      if (used_before) check(cudaStreamWaitEvent(copies_in, lane.computed));
      check(cudaMemcpyAsync(in, job.in + chunk * p.in_bytes, p.in_bytes, cudaMemcpyHostToDevice,
                            copies_in));
      check(cudaEventRecord(lane.copied_in, copies_in));

      if (used_before) check(cudaStreamWaitEvent(kernels, lane.copied_out));
      check(cudaMemsetAsync(out, 0, p.out_bytes, kernels));
      check(cudaStreamWaitEvent(kernels, lane.copied_in));
      for (unsigned k = 0; k < p.depth; ++k) transform(p, in, out, k, kernels);
      check(cudaEventRecord(lane.computed, kernels));

      check(cudaStreamWaitEvent(copies_out, lane.computed));
      check(cudaMemcpyAsync(job.out + chunk * p.out_bytes, out, p.out_bytes, cudaMemcpyDeviceToHost,
                            copies_out));
      check(cudaEventRecord(lane.copied_out, copies_out));
    }

    const cudaEvent_t* last = done;
    for (cudaStream_t stream : {copies_in, kernels, copies_out}) {
      check(cudaEventRecord(*last, stream));
      check(cudaStreamWaitEvent(origin, *last++));
    }
    check(cudaStreamSynchronize(origin));
  });
}
