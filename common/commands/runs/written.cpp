#include "common/commands/runs/written.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "common/json/input_file.hpp"
#include "common/results/files/results_io.hpp"
#include "common/text/exit_code.hpp"

namespace trilane {
namespace {

Written written_from_json(const std::string& text) {
  const std::string schema = schema_of(text);
  if (schema == replies_schema.name) return replies_from_json(text);
  if (schema == loops_schema.name) return loops_from_json(text);
  return from_json(text);
}

/// What `read` makes of the file's text. `commands` are those that write such files.
template <typename Read>
auto load(const std::string& label, const std::string& path, const char* commands, Read read) {
  try {
    return read(content_of_input(path));
  } catch (const std::invalid_argument& error) {
    refuse(label, path,
           fmt::format("{}; give a file that trilane {} --json wrote", error.what(), commands));
  }
}

}  // namespace

Results load_results(const std::string& label, const std::string& path) {
  return load(label, path, "run", from_json);
}

Replies load_replies(const std::string& label, const std::string& path) {
  return load(label, path, "ask", replies_from_json);
}

LoopResults load_loops(const std::string& label, const std::string& path) {
  return load(label, path, "loop", loops_from_json);
}

Written load_written(const std::string& label, const std::string& path) {
  return load(label, path, "run, ask or loop", written_from_json);
}

}  // namespace trilane
