#include "common/application/iteration/records/recorded_graph.hpp"

namespace trilane {

RecordedCall operation_of(const RecordedNode& node) {
  RecordedCall call;
  call.kind = node.kind;
  call.bytes = node.bytes;
  call.value = node.value;
  call.kernel = node.kernel;
  call.grid = node.grid;
  call.block = node.block;
  call.shared_bytes = node.shared_bytes;
  call.uses = node.uses;
  return call;
}

RecordedNode node_of(const RecordedCall& operation) {
  RecordedNode node;
  node.kind = operation.kind;
  node.bytes = operation.bytes;
  node.value = operation.value;
  node.kernel = operation.kernel;
  node.grid = operation.grid;
  node.block = operation.block;
  node.shared_bytes = operation.shared_bytes;
  node.uses = operation.uses;
  return node;
}

}  // namespace trilane
