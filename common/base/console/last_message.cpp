#include "common/base/console/last_message.hpp"

#include <cstdio>

namespace trilane {

void give_last_message(const std::string& program, const std::string& message) noexcept {
  std::fprintf(stderr, "%s: %s\n", program.c_str(), message.c_str());
  std::fflush(stderr);
  const char* const name = std::getenv(message_file_variable);
  std::FILE* const file = name ? std::fopen(name, "w") : nullptr;
  if (!file) return;  // standard error has the message
  std::fwrite(message.data(), 1, message.size(), file);
  std::fclose(file);
}

}  // namespace trilane
