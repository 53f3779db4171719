// A question about a device's behaviour, the experiment that answers it, and the conclusion.
#pragma once

#include "common/measure/ask/reply.hpp"
#include "common/measure/rounds/contest.hpp"

namespace trilane {

/// Returns yes, no, or nothing if neither holds and the readings leave the question open.
std::optional<bool> decided(bool yes, bool no);

/// One case of a conclusion, as Conclusion::add() takes it.
struct CaseAnswer {
  std::string name;
  std::optional<bool> answer;
  std::string figures;
};

/// The answer, case by case; most questions have one case.
class Conclusion {
 public:
  Conclusion() = default;

  /// Has the case that `answer_for` returns for each of `cases`, in that order.
  Conclusion(const auto& cases, const auto& answer_for) {
    for (const auto& one : cases) {
      const CaseAnswer found = answer_for(one);
      add(found.name, found.answer, found.figures);
    }
  }

  /// Adds a case: yes, no, or nothing if the readings do not tell. `figures` supports the answer:
  /// "cudaFree takes 2 ms beside a kernel of 2 ms, 40 us alone". Empty: a note has them.
  Conclusion& add(const std::string& name, std::optional<bool> answer, const std::string& figures);

  /// Adds the only case.
  Conclusion& add(std::optional<bool> answer, const std::string& figures);

  /// Adds figures that decide nothing.
  Conclusion& note(const std::string& figures);

  /// Returns undecided if any case is; yes or no if all cases agree; otherwise depends.
  Finding finding() const;
  /// Returns the figures, preceded by the differing cases if the answer depends on them.
  std::string sentence() const;
  /// Returns the answers by case.
  const std::map<std::string, std::optional<bool>>& cases() const { return cases_; }

 private:
  std::map<std::string, std::optional<bool>> cases_;
  std::vector<std::string> figures_;
};

/// The measurements of an experiment, as its conclusion reads them.
class Readings {
 public:
  /// Readings of one process.
  explicit Readings(const std::vector<Figure>& figures) : figures_(figures) {}
  /// Readings of all processes of a reply.
  explicit Readings(const Reply& reply);

  /// Returns the median of a condition. Throws std::out_of_range if it was not measured.
  double median(const std::string& condition) const { return at(condition, 0.5); }
  /// Returns the median of a time, or another quantile, in words.
  std::string time(const std::string& condition, double q = 0.5) const;
  /// Returns the quantile `q` of a condition.
  double at(const std::string& condition, double q) const;

  /// Returns true if three quarters of the readings of `condition` exceed `factor` times three
  /// quarters of the readings of `other`, because medians alone would mistake noise for a
  /// difference. With several processes this must hold within three quarters of them.
  bool above(const std::string& condition, const std::string& other, double factor = 1) const;

  /// Returns true if every reading of `condition` is above 0; false if none is; nothing in between.
  std::optional<bool> always(const std::string& condition) const;

  /// Returns true if `condition` is above() `other`, and its median by that factor; false if its
  /// median is less than `same` times the other's; nothing in between.
  std::optional<bool> costs_more(const std::string& condition, const std::string& other,
                                 double factor, double same) const;

 private:
  const Figure& figure(const std::string& condition) const;

  const std::vector<Figure>& figures_;
  std::vector<std::uint64_t> rounds_;  ///< of each process; empty if there is one
};

/// One thing that an experiment measures, once a round.
struct Condition {
  std::string name;                ///< what is done: "cudaFree beside a kernel"
  std::function<double()> sample;  ///< does it and returns the figure; leaves the device idle
  /// Reversed versions: one without the effect in question, one with the effect planted. Tests
  /// require the experiment to answer differently if at least one of them replaces its condition.
  std::vector<std::function<double()>> turned_round = {};
  Quantity quantity = Quantity::us;
};

/// The constructor sets up what the conditions need. It may wait for the device, and may throw.
class Experiment : boost::noncopyable {
 public:
  virtual ~Experiment() = default;

  virtual std::vector<Condition> conditions() = 0;

  /// Returns the largest number of rounds that it can be measured, besides the warm-up.
  virtual std::uint32_t most_rounds() const { return UINT32_MAX; }
};

BOOST_DEFINE_ENUM_CLASS(Subject, memory, host_calls, order, copies, graphs, host_functions)

struct Question {
  std::string name;  ///< "free_waits"
  Subject subject = Subject::memory;
  std::string text;               ///< "Does cudaFree wait for running kernels?"
  std::string claim = {};         ///< a common misconception, in our words; empty if none
  std::string meaning;            ///< what the answer means for the reader's code
  std::string documentation;      ///< what the vendor's documentation says about it
  std::string not_modelled = {};  ///< what the simulated device lacks for it; empty if nothing
  bool first = false;  ///< must be asked before all others: what they leave behind would hide it
  std::function<std::unique_ptr<Experiment>()> make = {};
  std::function<Conclusion(const Readings&)> conclude = {};  ///< from the readings alone
};

/// Answers from the reply's figures. Throws the question's errors if figures are missing.
void conclude(const Question& question, Reply& reply);

/// Returns true if two answers are the same; if both depend, they must depend on the same cases.
/// Throws the question's errors if figures are missing.
bool agree(const Question& question, const Reply& one, const Reply& other);

/// Returns all questions of this program, in the order of CMakeLists.txt.
std::vector<Question>& questions();

/// Returns the question of that name; nullptr if this program does not have it.
const Question* find_question(const std::string& name);

/// Enrols a question with the experiment class `E`, which has `static Conclusion conclude(const
/// Readings&)`. Put one at the end of a question's file.
template <typename E>
struct Enrolled {
  explicit Enrolled(Question question) {
    question.make = [] { return std::make_unique<E>(); };
    question.conclude = &E::conclude;
    questions().push_back(std::move(question));
  }
};

struct AskSettings {
  RoundSettings rounds = {.seconds = 3, .fewest = 12, .most = 150};  ///< of conditions
  bool simulated = false;  ///< rounds do not differ: runs the fewest
  std::function<bool()> interrupted = [] { return false; };  ///< asked between samples
  /// For tests: replaces a condition by a reversed one, given their indices.
  std::optional<std::pair<std::size_t, std::size_t>> turned_round = {};
};

/// Sets up the experiment, measures every condition once a round in a freshly shuffled order, and
/// concludes. The first round is a warm-up. An error becomes the answer. Throws Interrupted.
Reply ask(const Question& question, const AskSettings& settings);

/// Returns the figures alone. Throws Interrupted and any error of the experiment.
std::vector<Figure> measure(const Question& question, const AskSettings& settings);

/// Returns one reply to each question that any process answered, in the order of asking, concluded
/// from the samples of all processes. If a question failed in one process, the merged reply has
/// failed for that reason. The context is the first process's. Throws std::invalid_argument.
Replies merged_replies(std::span<const Replies> all);

/// Merges the replies to one question; there must be at least one.
Reply merged_reply(const Question& question, const std::vector<const Reply*>& of_processes);

}  // namespace trilane
