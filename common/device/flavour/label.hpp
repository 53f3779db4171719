// Labels of runtime calls: the chunk and lane that a call works for.
#pragma once

#include <boost/core/noncopyable.hpp>

#include "common/std.hpp"

namespace trilane {

/// The chunk and lane of an operation; `none` means the whole pass.
struct Label {
  static constexpr std::uint32_t none = UINT32_MAX;
  static constexpr std::uint32_t marker = UINT32_MAX - 1;  ///< `chunk` of operations outside any
                                                           ///< pass

  std::uint32_t chunk = none, lane = none;

  bool operator==(const Label&) const = default;
};

/// The label of operations and calls outside any pass.
inline constexpr Label marker_label{.chunk = Label::marker, .lane = Label::none};

/// While one lives, this thread's calls have `label`, which a trace records: neither a stream nor a
/// graph node knows its chunk. Costs two stores.
class Labelled : boost::noncopyable {
 public:
  explicit Labelled(Label label) { current_ = label; }
  ~Labelled() { current_ = {}; }

  static Label current() { return current_; }

 private:
  static inline thread_local Label current_{};
};

}  // namespace trilane
