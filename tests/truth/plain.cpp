#include "tests/truth/plain.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <thread>

#include "tests/truth/presets.hpp"

namespace plain {
namespace {

thread_local int device = -1;  // -1: not one of several that work at the same time

[[noreturn]] void give_up(int code, const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(code);
}

/// Input and its expected output. Words are drawn from 256, because `mix` is slow on a CPU.
class Reference {
 public:
  explicit Reference(const Preset& preset) : preset_(preset), expected_(preset.all_out() / 4) {
    for (Letter& letter : letters_) {
      letter.word = static_cast<std::uint32_t>(random_());
      for (unsigned k = 0; k < preset.depth; ++k) {
        letter.sum += trilane::mix(letter.word ^ trilane::salt(k), preset.rounds);
      }
    }
  }

  /// Fills `in` with new words, and `out` with bytes that are all wrong.
  void draw(unsigned char* in, unsigned char* out) {
    auto* const input = reinterpret_cast<std::uint32_t*>(in);
    std::fill(expected_.begin(), expected_.end(), 0u);
    for (unsigned chunk = 0; chunk < preset_.chunks; ++chunk) {
      const std::uint64_t first = chunk * preset_.in_words(), outputs = preset_.out_words();
      std::uint32_t* const sums = expected_.data() + chunk * outputs;
      std::uint64_t bits = 0;
      for (std::uint64_t i = 0, at = 0; i < preset_.in_words(); ++i) {
        bits = i % 8 == 0 ? random_() : bits >> 8;
        input[first + i] = letters_[bits % 256].word;
        sums[at] += letters_[bits % 256].sum;
        if (++at == outputs) at = 0;
      }
    }
    auto* const poisoned = reinterpret_cast<std::uint32_t*>(out);
    for (std::size_t i = 0; i < expected_.size(); ++i) poisoned[i] = ~expected_[i];
  }

  bool matches(const unsigned char* out) const {
    return std::memcmp(out, expected_.data(), expected_.size() * 4) == 0;
  }

 private:
  struct Letter {
    std::uint32_t word = 0, sum = 0;
  };

  Preset preset_;
  std::mt19937_64 random_{std::random_device{}()};
  Letter letters_[256];
  std::vector<std::uint32_t> expected_;
};

/// Returns the value below which `share` of the sorted times lie.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// Opens the current GPU, after a call that `selected` it. Its context exists afterwards.
void open_gpu(cudaError_t selected = cudaSuccess) {
  if (selected != cudaSuccess || cudaSetDeviceFlags(cudaDeviceScheduleSpin) != cudaSuccess ||
      cudaFree(nullptr) != cudaSuccess) {
    give_up(3, std::string("no usable GPU: ") + cudaGetErrorString(cudaGetLastError()));
  }
}

/// Reads the first words, and makes host memory after `open` opened the GPUs.
template <typename Open>
Job begin_with(int count, char** words, Open open, unsigned memory_flags) {
  const double milliseconds = count == 3 ? std::atof(words[2]) : 0;
  const std::optional<Preset> preset = milliseconds > 0 ? preset_of(words[1]) : std::nullopt;
  if (!preset) {
    give_up(2, "usage: " + std::string(words[0]) +
                   " PRESET|CHUNKS,IN_BYTES,OUT_BYTES,LANES,DEPTH,ROUNDS MILLISECONDS"
                   " [GPU...], or of a split pass [GPU,GPU,... [WORKING]]");
  }
  open();
  Job job{*preset, milliseconds * 1000, nullptr, nullptr};
  check(cudaHostAlloc(&job.in, preset->all_in(), memory_flags));
  check(cudaHostAlloc(&job.out, preset->all_out(), memory_flags));
  return job;
}

}  // namespace

void check(cudaError_t error, const std::source_location& at) {
  if (error == cudaSuccess) return;
  give_up(1, std::string(at.file_name()) + ":" + std::to_string(at.line()) + ": " +
                 cudaGetErrorName(error) + ": " + cudaGetErrorString(error));
}

Job begin(int count, char** words) {
  return begin_with(
      count, words, [] { open_gpu(); }, cudaHostAllocDefault);
}

SplitJob begin_split(int count, char** words) {
  std::vector<int> gpus;
  if (count > 3) {
    std::istringstream list(words[3]);
    for (int gpu = 0; list >> gpu; list.ignore()) gpus.push_back(gpu);
  } else {
    int all = 0;
    cudaGetDeviceCount(&all);
    for (int gpu = 0; gpu < std::max(1, all); ++gpu) gpus.push_back(gpu);
  }
  const auto open = [&] {
    for (auto gpu = gpus.rbegin(); gpu != gpus.rend(); ++gpu) open_gpu(cudaSetDevice(*gpu));
  };
  const Job job =
      begin_with(gpus.empty() ? 0 : std::min(count, 3), words, open, cudaHostAllocPortable);
  const std::size_t working = count > 4 ? std::strtoul(words[4], nullptr, 10) : gpus.size();
  const std::size_t most = std::min<std::size_t>(gpus.size(), job.preset.chunks);
  gpus.resize(std::clamp<std::size_t>(working, 1, most));
  return {job, gpus};
}

double now_us() {
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

int measure(const char* variant, const Job& job, double setup_us, void (*pass)(void*), void* of) {
  Reference reference(job.preset);
  bool ok = true;
  const auto check_pass = [&] {
    reference.draw(job.in, job.out);
    pass(of);
    ok = ok && reference.matches(job.out);
  };
  check_pass();
  constexpr double warm_up_us = 20'000;
  if (device >= 0) {  // the others start at the same time
    std::puts("ready");
    std::fflush(stdout);
    std::getchar();
  }
  for (const double start = now_us(); now_us() - start < warm_up_us;) pass(of);
  std::vector<double> times;
  double sum = 0;
  while (sum < job.measure_us || times.size() < 5) {
    const double start = now_us();
    pass(of);
    times.push_back(now_us() - start);
    sum += times.back();
  }
  for (const double end = now_us(); device >= 0 && now_us() - end < job.measure_us / 2;) pass(of);
  check_pass();
  std::sort(times.begin(), times.end());
  const double median = quantile(times, 0.5);
  // A pass over three times the median was interrupted by other work on the host.
  const auto end = std::upper_bound(times.begin(), times.end(), 3 * median);
  const double mean = std::accumulate(times.begin(), end, 0.0) / double(end - times.begin());
  std::printf(
      "{\"variant\": \"%s\", \"preset\": \"%s\", \"device\": %d, \"passes\": %zu, \"mean_us\": "
      "%.3f, "
      "\"median_us\": %.3f, \"p25_us\": %.3f, \"p75_us\": %.3f, \"setup_us\": %.1f, \"ok\": %s}\n",
      variant, job.preset.name, std::max(0, device), times.size(), mean, median,
      quantile(times, 0.25), quantile(times, 0.75), setup_us, ok ? "true" : "false");
  return ok ? 0 : 1;
}

}  // namespace plain

/// With GPUs after the other words, runs the program on a thread for each. Each thread says when it
/// is ready, waits for a character, measures, and goes on while others may still measure. GPUs that
/// are joined by commas are for one pass.
int main(int count, char** words) {
  if (count < 4 || std::strchr(words[3], ',')) return plain::run(count, words);
  std::vector<int> codes(static_cast<std::size_t>(count - 3));
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    threads.emplace_back([&, i] {
      plain::device = std::atoi(words[3 + i]);
      check(cudaSetDevice(plain::device));
      cudaStreamCaptureMode own = cudaStreamCaptureModeThreadLocal;
      check(cudaThreadExchangeStreamCaptureMode(&own));
      codes[i] = plain::run(3, words);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return *std::max_element(codes.begin(), codes.end());
}
