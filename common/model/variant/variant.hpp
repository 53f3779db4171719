// A variant: one execution model for the pipeline. Also the registry of all variants.
#pragma once

#include "common/base/text/words.hpp"
#include "common/model/variant/plan.hpp"
#include "common/model/workload/steps.hpp"

/// Declared as in CUDA, without its headers.

typedef struct CUstream_st* cudaStream_t;

namespace trilane {

/// The constructor is the set-up, the destructor the tear-down. Both may wait for the device.
class Variant : boost::noncopyable {
 public:
  virtual ~Variant() = default;

  /// Enqueues one pass, ordered after everything on `origin` and joined back into it: later work on
  /// `origin` sees the whole output. Waits for the device only if the plan says so.
  virtual void submit(cudaStream_t origin) = 0;

  /// Returns facts from the runtime that prove which execution model ran, for comparison with
  /// plan.facts. Models that leave few facts (streams, malloc) are also tested by counting the
  /// calls of submit, in tests/variants/evidence_test.cpp.
  virtual Facts evidence() const = 0;
};

/// The description of a variant before its construction.
struct VariantEntry {
  std::string name;
  std::string summary;  ///< one line, at most 60 characters
  std::function<Plan(const Workload&)> plan;
  std::function<std::unique_ptr<Variant>(const Job&)> make;
};

/// Returns the variant under another pool policy, whatever the workload's is.
VariantEntry under(const VariantEntry& entry, const PoolPolicy& policy, std::string name,
                   std::string summary);

/// Returns all variants in this program, in the order of CMakeLists.txt: the linker runs the
/// initialisers of object files in the order given.
std::vector<VariantEntry>& registry();

/// Returns the entry of that name. Throws std::out_of_range.
const VariantEntry& find_variant(const std::string& name);

/// Returns the names of the registered variants of that tier, in order.
std::vector<std::string> names_of_tier(Tier tier);

/// Registers the variant class `V`. Put one at the end of a variant's file.
template <typename V>
struct Registered {
  Registered(std::string name, std::string summary, Plan (*plan)(const Workload&)) {
    registry().push_back(
        {std::move(name), std::move(summary), plan,
         [](const Job& job) -> std::unique_ptr<Variant> { return std::make_unique<V>(job); }});
  }
};

/// Registers a registered variant once more, under a pool policy of its own.
struct PolicyRow {
  PolicyRow(const char* variant, std::string name, std::string summary, const PoolPolicy& policy) {
    registry().push_back(under(find_variant(variant), policy, std::move(name), std::move(summary)));
  }
};

}  // namespace trilane
