#include "common/commands/runs/recorded.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "common/json/document.hpp"
#include "common/json/input_file.hpp"
#include "common/text/exit_code.hpp"

namespace trilane {
namespace {

constexpr Schema recording_schema{"trilane-recording", 1, 1};

Recording recording_from_json(const std::string& text) {
  try {
    return record_in<Recording>(parsed(text), recording_schema);
  } catch (const Misfit& error) {
    throw std::invalid_argument(in_words(error));
  }
}

}  // namespace

Recording load_recording(const std::string& label, const std::string& path) {
  try {
    return recording_from_json(content_of_input(path));
  } catch (const std::invalid_argument& error) {
    refuse(label, path,
           fmt::format("{}; give a file that trilane record --save wrote", error.what()));
  }
}

}  // namespace trilane
