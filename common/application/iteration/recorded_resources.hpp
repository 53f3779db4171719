// Records of what an application's executable graphs and memory pools took, over its whole run.
#pragma once

#include "common/application/iteration/call_stacks.hpp"

namespace trilane {

/// Graphs and pools by the places where they were made or grew. Stacks are indices in `source`.
struct RecordedResources {
  RecordedSource source;
  bool operator==(const RecordedResources&) const = default;
};
BOOST_DESCRIBE_STRUCT(RecordedResources, (), (source))

}  // namespace trilane
