// What a call to the runtime is for: the chunk and lane of the operation that it issues.
#pragma once

#include <cstdint>

namespace trilane {

/// The part of the workload that an operation belongs to; `none` where it is the whole pass.
struct Label {
  static constexpr std::uint32_t none = UINT32_MAX;
  static constexpr std::uint32_t marker = UINT32_MAX - 1;  ///< `chunk` of what is in no pass

  std::uint32_t chunk = none, lane = none;

  bool operator==(const Label&) const = default;
};

/// Of operations and calls that are in no pass.
inline constexpr Label marker_label{.chunk = Label::marker, .lane = Label::none};

/// While one lives, the calls of this thread are for `label`: a trace learns it from here, for
/// neither a stream nor a graph node tells. Costs two stores.
class Labelled {
 public:
  explicit Labelled(Label label) { current_ = label; }
  ~Labelled() { current_ = {}; }
  Labelled(const Labelled&) = delete;
  Labelled& operator=(const Labelled&) = delete;

  static Label current() { return current_; }

 private:
  static inline thread_local Label current_{};
};

}  // namespace trilane
