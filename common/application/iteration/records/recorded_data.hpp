// What a recording holds of the application's own data: only with --with-data.
#pragma once

#include <boost/describe/class.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace trilane {

/// The value of a kernel's argument that is the same in every iteration and no pointer.
struct RecordedValue {
  std::uint32_t call = 0;       ///< index in ApplicationRecording::calls
  std::uint32_t parameter = 0;  ///< of its kernel
  std::uint64_t bits = 0;       ///< its bytes, the first one lowest
  bool operator==(const RecordedValue&) const = default;
};
BOOST_DESCRIBE_STRUCT(RecordedValue, (), (call, parameter, bits))

struct RecordedData {
  /// The most values; those of later calls are left out.
  static constexpr std::size_t most_values = 100'000;
  /// The most bytes of a value: larger arguments are structures, which no pipeline file states.
  static constexpr std::uint64_t most_bytes = 8;

  std::vector<RecordedValue> values;  ///< by call, then by parameter
  bool operator==(const RecordedData&) const = default;
};
BOOST_DESCRIBE_STRUCT(RecordedData, (), (values))

}  // namespace trilane
