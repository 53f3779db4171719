#include "common/commands/help/completion.hpp"

#include "common/base/console/console.hpp"
#include "common/base/text/choice.hpp"
#include "common/commands/command_files.hpp"

namespace trilane {
namespace {

int completion(const Given& given, const Caller& caller) {
  switch (parse_choice("completion", given.operands().front(), {"bash", "zsh", "fish"})) {
    case 0: return Console().finish(bash_completion(caller));
    case 1: return Console().finish(zsh_completion(caller));
    default: return Console().finish(fish_completion(caller));
  }
}

}  // namespace

Command completion_command() {
  return {.name = "completion",
          .operands = {"SHELL", 1, 1, Value::choice, "bash,zsh,fish"},
          .summary = "print the completions for bash, zsh or fish",
          .about = "The packages install them.",
          .examples = {"completion bash > ~/.local/share/bash-completion/completions/trilane"},
          .groups = {},
          .run = completion};
}

}  // namespace trilane
