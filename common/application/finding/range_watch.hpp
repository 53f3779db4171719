// Detects where the NVTX range that is the iteration begins and ends.
#pragma once

#include <atomic>
#include <optional>
#include <string>

namespace trilane {

/// Ranges nest by thread. Only the first thread that opens the range is watched, so that iterations
/// do not overlap; a range inside another of the same name does not count. Takes no lock and
/// allocates nothing.
class RangeWatch {
 public:
  explicit RangeWatch(std::string name) : name_(std::move(name)) {}

  bool used() const { return !name_.empty(); }
  const std::string& name() const { return name_; }

  /// Takes the beginning of a range of the calling thread. Returns true if an iteration begins.
  bool begins(const char* name, double now_us);
  /// Takes the end of its innermost range. Returns the beginning of the iteration that ends with
  /// it.
  std::optional<double> ends();

 private:
  std::string name_;
  std::atomic<const void*> thread_ = nullptr;
};

}  // namespace trilane
