// The application's own data in a recording: only with --with-data.
#pragma once

#include <boost/describe/class.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace trilane {

/// The value of a kernel's argument that is the same in every iteration and not a pointer.
struct RecordedValue {
  std::uint32_t call = 0;       ///< index in ApplicationRecording::calls
  std::uint32_t parameter = 0;  ///< index among its kernel's parameters
  std::uint64_t bits = 0;       ///< its bytes, lowest first
  bool operator==(const RecordedValue&) const = default;
};
BOOST_DESCRIBE_STRUCT(RecordedValue, (), (call, parameter, bits))

struct RecordedData {
  /// Limit of values; those of later calls are left out.
  static constexpr std::size_t most_values = 100'000;
  /// Limit of a value's bytes: larger arguments are structures, which no pipeline file states.
  static constexpr std::uint64_t most_bytes = 8;

  std::vector<RecordedValue> values;  ///< by call, then by parameter
  bool operator==(const RecordedData&) const = default;
};
BOOST_DESCRIBE_STRUCT(RecordedData, (), (values))

}  // namespace trilane
