#include "common/ask/question/reply.hpp"

#include "common/json/document.hpp"
#include "common/json/pretty_json.hpp"

namespace trilane {

namespace {
constexpr Schema schema{"trilane-answers", 1, 1};
}  // namespace

std::string to_json(const Replies& replies) { return pretty(document_of(schema, replies)); }

}  // namespace trilane
