#include "common/ask/question/question.hpp"

namespace trilane {

std::vector<Question>& questions() {
  static std::vector<Question> all;
  return all;
}

}  // namespace trilane
