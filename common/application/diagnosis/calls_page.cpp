#include "common/application/diagnosis/calls_page.hpp"

#include <fmt/format.h>

#include "common/application/iteration/call_places.hpp"
#include "common/application/iteration/call_traits.hpp"
#include "common/base/text/size.hpp"

namespace trilane {

Page calls_page(const ApplicationRecording& recording) {
  constexpr std::size_t what_width = 34;
  Table table{{"call", "where", "what", ">stream", ">at, us", ">us", ">on the GPU at", ">us"}, {}};
  const auto us = [](std::optional<double> time) { return time ? format_us(*time) : ""; };
  bool any_known = false;
  for (std::size_t i = 0; i < recording.calls.size(); ++i) {
    const RecordedCall& call = recording.calls[i];
    const std::string number = fmt::format("call {}", i), place = place_of(recording, i);
    any_known = any_known || place != number;
    table.rows.push_back(
        {number, place,
         clipped(is_operation(call.kind) ? operation_name(call, recording) : function_of(call),
                 what_width),
         names_stream(call.kind) ? fmt::to_string(call.stream) : "", format_us(call.start_us),
         format_us(call.host_us), us(call.device_start_us), us(call.device_us)});
  }
  return {Heading{"Calls", ""}, any_known ? table : without_column(table, "where")};
}

}  // namespace trilane
