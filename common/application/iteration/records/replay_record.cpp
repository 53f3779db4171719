#include "common/application/iteration/records/replay_record.hpp"

#include <stdexcept>

#include "common/base/json/pretty_json.hpp"

namespace trilane {

namespace {

constexpr Schema replay_schema{.name = "trilane replay", .oldest = 1, .version = 1};

}  // namespace

std::string to_json(const ReplayRecord& record) {
  return pretty(document_of(replay_schema, record));
}

ReplayRecord replay_from_json(const std::string& text) {
  try {
    return record_in<ReplayRecord>(parsed(text), replay_schema);
  } catch (const Misfit& error) {
    throw std::invalid_argument(in_words(error));
  }
}

}  // namespace trilane
