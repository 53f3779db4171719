#include "common/loop/results/loop_results.hpp"

#include "common/json/document.hpp"
#include "common/json/pretty_json.hpp"

namespace trilane {

namespace {
constexpr Schema schema{"trilane-loops", 1, 1};
}  // namespace

std::string to_json(const LoopResults& results) { return pretty(document_of(schema, results)); }

}  // namespace trilane
