#include "common/application/iteration/call_places.hpp"

namespace trilane {

std::string place_of(const ApplicationRecording&, std::size_t call) {
  return "call " + std::to_string(call);
}

}  // namespace trilane
