// Collects findings that are alike.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "common/application/diagnosis/records/finding.hpp"
#include "common/application/recording/records/application_recording.hpp"

namespace trilane {

class FindingGroups {
 public:
  explicit FindingGroups(const ApplicationRecording& recording) : recording_(recording) {}

  /// Adds a call to the finding of its function, and returns that finding. `us`: its time.
  CallFinding& add(FindingKind kind, std::size_t call, double us,
                   Obstacle obstacle = Obstacle::none);
  CallFinding& add(FindingKind kind, std::size_t call) {
    return add(kind, call, recording_.calls[call].host_us);
  }

  std::vector<CallFinding> sorted() const;

 private:
  const ApplicationRecording& recording_;
  std::map<std::tuple<FindingKind, Obstacle, std::string>, CallFinding> groups_;
};

}  // namespace trilane
