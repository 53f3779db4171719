#include "common/results/files/results_io.hpp"

namespace trilane {

const char* name_of(Status status) {
  switch (status) {
    case Status::ok: return "ok";
    case Status::failed: return "failed";
    case Status::not_supported: return "not supported";
    case Status::not_run: return "not run";
  }
  return "";
}

const char* name_of(Mode mode) { return mode == Mode::latency ? "latency" : "throughput"; }

const char* name_of(Pays pays) {
  switch (pays) {
    case Pays::at_once: return "at once";
    case Pays::later: return "later";
    case Pays::at_first: return "at first";
    case Pays::never: return "never";
  }
  return "";
}

const char* name_of(Order order) { return order == Order::depth_first ? "depth" : "breadth"; }

const char* name_of(Wait wait) {
  switch (wait) {
    case Wait::spin: return "spin";
    case Wait::yield: return "yield";
    case Wait::block: return "block";
  }
  return "";
}

}  // namespace trilane
