// A file of its own, because the revision changes with every commit.
#include "common/commands/options/help.hpp"
#include "revision.hpp"

namespace trilane {

std::string version_text(const std::string& program) {
  return fmt::format("{} {} ({}, {})\n", program, trilane_version, trilane_revision,
                     trilane_build_type);
}

}  // namespace trilane
