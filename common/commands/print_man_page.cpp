#include "common/base/console/console.hpp"
#include "common/commands/command_files.hpp"
#include "common/commands/help/help.hpp"

namespace trilane {
namespace {

int man(const Given&, const Caller& caller) { return Console().finish(man_page(caller)); }

}  // namespace

Command man_command() {
  return {.name = "man",
          .operands = {""},
          .summary = "print the manual page",
          .about = "",
          .examples = {"man | man -l -"},
          .groups = {},
          .run = man};
}

}  // namespace trilane
