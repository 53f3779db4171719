// A question about how a device behaves, and the experiment that answers it from what it measures.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/measure/ask/conclusion.hpp"
#include "common/measure/ask/readings.hpp"
#include "common/measure/ask/reply.hpp"

namespace trilane {

/// One thing that an experiment measures, once a round.
struct Condition {
  std::string name;                ///< what is done: "cudaFree beside a kernel"
  std::function<double()> sample;  ///< does it and returns the figure; leaves the device idle
  Quantity quantity = Quantity::us;
  /// The same with the effect in question taken away, and with it planted where it is not. For at
  /// least one of them in its place the experiment must answer otherwise; tests see to it.
  std::vector<std::function<double()>> turned_round = {};
};

/// The constructor sets up what the conditions need; it may wait for the device, and throw.
class Experiment {
 public:
  Experiment() = default;
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;
  virtual ~Experiment() = default;

  virtual std::vector<Condition> conditions() = 0;

  /// The rounds that it can be measured, besides one as a warm-up.
  virtual std::uint32_t most_rounds() const { return UINT32_MAX; }
};

enum class Subject { memory, host_calls, order, copies, graphs, host_functions };

/// "Memory", "Host calls", ... ; empty past the last.
constexpr const char* name_of(Subject subject) {
  switch (subject) {
    case Subject::memory: return "Memory";
    case Subject::host_calls: return "Host calls";
    case Subject::order: return "Order";
    case Subject::copies: return "Copies";
    case Subject::graphs: return "Graphs";
    case Subject::host_functions: return "Host functions";
  }
  return "";
}

struct Question {
  std::string name;  ///< "free_waits"
  Subject subject;
  std::string text;           ///< "Does cudaFree wait for running kernels?"
  std::string claim;          ///< a common wrong claim, in our words; empty if there is none
  std::string meaning;        ///< what the answer means for the reader's code
  std::string documentation;  ///< where the vendor's documentation stands on it
  std::string not_modelled;   ///< what the simulated device lacks for it; empty if nothing
  std::function<std::unique_ptr<Experiment>()> make;
  std::function<Conclusion(const Readings&)> conclude;  ///< from the readings alone
};

/// Answers from the reply's figures. Throws what the question does, if figures are missing.
void conclude(const Question& question, Reply& reply);

/// All questions of this program, in the order of CMakeLists.txt.
std::vector<Question>& questions();

/// The question of that name; nullptr if this program does not have it.
const Question* find_question(const std::string& name);

/// The texts of a question, for Enrolled.
struct QuestionTexts {
  const char* name;
  Subject subject;
  const char* text;
  const char* claim = "";
  const char* meaning;
  const char* documentation;
  const char* not_modelled = "";
};

/// Put one at the end of a question's file; it enrols the experiment class `E`, which has
/// `static Conclusion conclude(const Readings&)`.
template <typename E>
struct Enrolled {
  explicit Enrolled(const QuestionTexts& t) {
    questions().push_back({t.name, t.subject, t.text, t.claim, t.meaning, t.documentation,
                           t.not_modelled, [] { return std::make_unique<E>(); }, &E::conclude});
  }
};

}  // namespace trilane
