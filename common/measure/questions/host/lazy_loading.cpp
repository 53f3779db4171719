#include "common/measure/ask/parts/experiment.hpp"
#include "kernels/empty.hpp"

namespace trilane::lazy_loading {

constexpr const char *first = "first launch of a kernel",
                     *prepared = "first launch after cudaFuncGetAttributes",
                     *later = "later launch";

// A round loads two kernels, and so does the warm-up; the set-up loads one.
constexpr int rounds = 14, kernels_needed = 2 * (rounds + 1) + 1;

/// A kernel is loaded only once in a process.
int loaded_kernels = 0;

class LazyLoading : public StreamExperiment {
 public:
  LazyLoading() {
    if (loaded_kernels + kernels_needed > unloaded_kernels) {
      throw std::runtime_error(
          "this process has loaded the kernels that were kept unloaded for this question; ask it "
          "in another run");
    }
    loaded_ = next_kernel();
    launch_us(loaded_);
  }

  std::vector<Condition> conditions() override {
    const auto later_us = [this] { return launch_us(loaded_); };
    const auto prepared_us = [this] {
      const void* const kernel = next_kernel();
      cudaFuncAttributes attributes{};
      check(cudaFuncGetAttributes(&attributes, kernel));
      return launch_us(kernel);
    };
    return {{first, [this] { return launch_us(next_kernel()); }, {later_us}},
            {prepared, prepared_us},
            {later, later_us}};
  }

  std::uint32_t most_rounds() const override { return rounds; }

  static Conclusion conclude(const Readings& r) {
    return Conclusion().add(
        r.costs_more(first, later, 2, 1.2),
        fmt::format("the first launch of a kernel takes the host {} (longest {}), a later one {}; "
                    "the first after cudaFuncGetAttributes {}",
                    r.time(first), r.time(first, 1), r.time(later), r.time(prepared)));
  }

 private:
  static const void* next_kernel() { return unloaded_kernel(loaded_kernels++); }

  double launch_us(const void* kernel) const {
    void* no_arguments[] = {nullptr};
    return issued_us([&] {
      check(cudaLaunchKernel(kernel, dim3(1, 1, 1), dim3(32, 1, 1), no_arguments, 0, stream()));
    });
  }

  const void* loaded_ = nullptr;
};

const Enrolled<LazyLoading> enrolled(
    {.name = "lazy_loading",
     .subject = Subject::host_calls,
     .text = "Does the first launch of a kernel take the host longer than later ones?",
     .claim = "All kernels are loaded when the program starts.",
     .meaning = "If so, load each kernel before the loop and before anything is timed: "
                "cudaFuncGetAttributes does it without a launch.",
     .documentation =
         "The programming guide explains lazy loading, which CUDA_MODULE_LOADING=EAGER "
         "turns off, and warns that loading may need to synchronise.",
     .not_modelled = "the loading of kernels"});

}  // namespace trilane::lazy_loading
