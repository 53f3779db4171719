// Where the NVTX range that is the iteration begins and ends.
#pragma once

#include <atomic>
#include <optional>
#include <string>

namespace trilane {

/// Ranges nest by thread. The first thread that opens the range is the only one watched, so that
/// iterations do not overlap; a range inside another of the same name is not counted. Takes no lock
/// and allocates nothing.
class RangeWatch {
 public:
  explicit RangeWatch(std::string name) : name_(std::move(name)) {}

  bool used() const { return !name_.empty(); }
  const std::string& name() const { return name_; }

  /// A range of the calling thread begins. Returns whether an iteration begins.
  bool begins(const char* name, double now_us);
  /// Its innermost range ends. Returns when the iteration began that ends with it.
  std::optional<double> ends();

 private:
  std::string name_;
  std::atomic<const void*> thread_ = nullptr;
};

}  // namespace trilane
