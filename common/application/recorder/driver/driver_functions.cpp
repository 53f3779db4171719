#include "common/application/recorder/driver/driver_functions.hpp"

namespace trilane {

FoundFunction driver_function(const char* name) {
  static const Library library = Library::in_process("libcuda.so.1");
  return library.function(name);
}

bool DriverFunctions::know_graphs() const {
  return graph_clone != nullptr && graph_destroy != nullptr && graph_get_nodes != nullptr &&
         graph_get_edges != nullptr && graph_node_get_type != nullptr &&
         graph_node_find_in_clone != nullptr && graph_node_set_params != nullptr &&
         graph_child_get_graph != nullptr && graph_kernel_get_params != nullptr &&
         graph_kernel_set_params != nullptr && graph_memcpy_get_params != nullptr &&
         graph_memcpy_set_params != nullptr && graph_memset_get_params != nullptr &&
         graph_memset_set_params != nullptr && graph_allocation_get_params != nullptr &&
         graph_free_get_params != nullptr;
}

const DriverFunctions& driver_functions() {
  static const DriverFunctions all;
  return all;
}

}  // namespace trilane
