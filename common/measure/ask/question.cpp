#include "common/measure/ask/question.hpp"

#include <algorithm>

namespace trilane {

void conclude(const Question& question, Reply& reply) {
  const Conclusion conclusion = question.conclude(Readings(reply));
  reply.finding = conclusion.finding();
  reply.sentence = conclusion.sentence();
}

std::vector<Question>& questions() {
  static std::vector<Question> all;
  return all;
}

const Question* find_question(const std::string& name) {
  const auto found = std::ranges::find(questions(), name, &Question::name);
  return found == questions().end() ? nullptr : &*found;
}

}  // namespace trilane
