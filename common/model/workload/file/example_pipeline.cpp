#include "common/model/workload/file/example_pipeline.hpp"

namespace trilane {

std::string example_pipeline() {
  return R"json({
  "name": "blur",
  "chunks": 32,
  "items": 1048576,
  "lanes": 4,
  "order": "depth",
  "sizes": {
    "width": 1024,
    "rows": "n / width"
  },
  "buffers": {
    "image": {"type": "float", "count": "n"},
    "weights": {"type": "float", "count": 9, "fill": {"pattern": [1, 2, 1, 2, 4, 2, 1, 2, 1]}},
    "blurred": {"type": "float", "count": "n"},
    "sum_of_each_row": {"type": "float", "count": "rows", "tolerance": 1e-6}
  },
  "stages": [
    {"copy in": "image"},
    {"copy in": "weights"},
    {"memset": "sum_of_each_row", "value": 0},
    {
      "kernel": "blur",
      "file": "blur.cu",
      "grid": ["ceil(width / 32)", "ceil(rows / 8)"],
      "block": [32, 8],
      "shared": "34 * 10 * 4",
      "arguments": [
        {"in": "image"},
        {"in": "weights"},
        {"out": "blurred"},
        {"size": "width", "type": "int32"},
        {"size": "rows", "type": "int32"},
        {"value": 0.0625, "type": "float"}
      ]
    },
    {
      "kernel": "add_up_rows",
      "file": "blur.cu",
      "grid": "rows",
      "block": 256,
      "arguments": [
        {"in": "blurred"},
        {"inout": "sum_of_each_row"},
        {"size": "width", "type": "int32"},
        {"chunk": "offset"}
      ]
    },
    {"copy out": "sum_of_each_row"}
  ]
}
)json";
}

}  // namespace trilane
