// A question about a device's behaviour, and the experiment that answers it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/base/text/enumerators.hpp"
#include "common/measure/ask/conclusion.hpp"
#include "common/measure/ask/reply.hpp"

namespace trilane {

/// The measurements of an experiment, as its conclusion reads them.
class Readings {
 public:
  /// Readings of one process.
  explicit Readings(const std::vector<Figure>& figures) : figures_(figures) {}
  /// Readings of all processes of a reply.
  explicit Readings(const Reply& reply);

  /// Returns the median of a condition. Throws std::out_of_range if it was not measured.
  double median(const std::string& condition) const;
  /// Returns the quantile `q` of a condition.
  double at(const std::string& condition, double q) const;

  /// Returns true if three quarters of the readings of `condition` exceed `factor` times three
  /// quarters of the readings of `other`, because medians alone would mistake noise for a
  /// difference. With several processes this must hold within three quarters of them: a slower host
  /// in one moves both conditions.
  bool above(const std::string& condition, const std::string& other, double factor = 1) const;

 private:
  const Figure& figure(const std::string& condition) const;

  const std::vector<Figure>& figures_;
  std::vector<std::uint64_t> rounds_;  ///< of each process; empty if there is one
};

/// One thing that an experiment measures, once a round.
struct Condition {
  std::string name;                ///< what is done: "cudaFree beside a kernel"
  std::function<double()> sample;  ///< does it and returns the figure; leaves the device idle
  Quantity quantity = Quantity::us;
  /// Reversed versions: one without the effect in question, one with the effect planted. Tests
  /// require the experiment to answer differently if at least one of them replaces its condition.
  std::vector<std::function<double()>> turned_round = {};
};

/// The constructor sets up what the conditions need. It may wait for the device, and may throw.
class Experiment {
 public:
  Experiment() = default;
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;
  virtual ~Experiment() = default;

  virtual std::vector<Condition> conditions() = 0;

  /// Returns the largest number of rounds that it can be measured, besides the warm-up.
  virtual std::uint32_t most_rounds() const { return UINT32_MAX; }
};

enum class Subject { memory, host_calls, order, copies, graphs, host_functions };
BOOST_DESCRIBE_ENUM(Subject, memory, host_calls, order, copies, graphs, host_functions)

/// Returns "Memory", "Host calls", ... ; empty past the last.
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
  std::string claim;          ///< a common misconception, in our words; empty if none
  std::string meaning;        ///< what the answer means for the reader's code
  std::string documentation;  ///< what the vendor's documentation says about it
  std::string not_modelled;   ///< what the simulated device lacks for it; empty if nothing
  std::function<std::unique_ptr<Experiment>()> make;
  std::function<Conclusion(const Readings&)> conclude;  ///< from the readings alone
};

/// Answers from the reply's figures. Throws the question's errors if figures are missing.
void conclude(const Question& question, Reply& reply);

/// Returns all questions of this program, in the order of CMakeLists.txt.
std::vector<Question>& questions();

/// Returns the question of that name; nullptr if this program does not have it.
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

/// Enrols the experiment class `E`, which has `static Conclusion conclude(const Readings&)`. Put
/// one at the end of a question's file.
template <typename E>
struct Enrolled {
  explicit Enrolled(const QuestionTexts& t) {
    questions().push_back({t.name, t.subject, t.text, t.claim, t.meaning, t.documentation,
                           t.not_modelled, [] { return std::make_unique<E>(); }, &E::conclude});
  }
};

}  // namespace trilane
