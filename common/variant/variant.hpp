// A variant: one execution model for the pipeline. And the registry that finds them all.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/variant/plan.hpp"
#include "common/workload/steps.hpp"

/// As CUDA declares it, without its headers.
typedef struct CUstream_st* cudaStream_t;

namespace trilane {

/// The constructor is the set-up, the destructor the tear-down. Both may wait for the device.
class Variant {
 public:
  Variant() = default;
  Variant(const Variant&) = delete;
  Variant& operator=(const Variant&) = delete;
  virtual ~Variant() = default;

  /// Enqueues one pass, ordered after all that `origin` holds, and joined back into it: work that
  /// is enqueued on `origin` afterwards sees the whole output. Does not wait for the device,
  /// unless the plan says that it blocks.
  virtual void submit(cudaStream_t origin) = 0;

  /// Facts read from the runtime that prove which execution model ran; held against plan.facts.
  /// Models that leave little behind in the runtime's state (streams, malloc) are proven further
  /// by tests/variants/evidence_test.cpp, which captures submit and counts its calls.
  virtual std::vector<Count> evidence() const = 0;
};

/// What the programs know of a variant before they construct it.
struct VariantEntry {
  std::string name;
  std::string summary;  ///< one line, at most 60 characters
  std::function<Plan(const Workload&)> plan;
  std::function<std::unique_ptr<Variant>(const Job&)> make;
};

/// All variants linked into this program, in the order of CMakeLists.txt (the linker runs the
/// initialisers of object files in the order in which it is given them).
std::vector<VariantEntry>& registry();

/// The entry of that name; throws std::out_of_range.
const VariantEntry& find_variant(const std::string& name);

/// Their names, in their order.
std::vector<std::string> names_of(const std::vector<VariantEntry>& entries);

/// A variant's file ends with one of these; it enrols the variant class `V`.
template <typename V>
struct Registration {
  Registration(std::string name, std::string summary, Plan (*plan)(const Workload&)) {
    registry().push_back(
        {std::move(name), std::move(summary), plan,
         [](const Job& job) -> std::unique_ptr<Variant> { return std::make_unique<V>(job); }});
  }
};

}  // namespace trilane
