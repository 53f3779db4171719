// Answers in the form in which they are saved and shown.
#pragma once

#include "common/base/json/document.hpp"
#include "common/base/text/page.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// The unit of a figure.
BOOST_DEFINE_ENUM_CLASS(Quantity,
                        us,     ///< microseconds
                        count,  ///< of calls, operations, words
                        bytes,
                        error)  ///< a code of the CUDA runtime

BOOST_DEFINE_ENUM_CLASS(Finding, yes, no,
                        depends,       ///< the sentence says on what
                        undecided,     ///< the readings do not tell
                        not_modelled,  ///< by the simulated device
                        failed)        ///< the sentence has the reason
/// Returns "yes", "no", ...; empty past the last.
constexpr const char* name_of(Finding finding) {
  return finding == Finding::depends ? "it depends" : words_of_name(finding);
}

/// The readings of one condition.
struct Figure {
  std::string name;  ///< of the condition
  Quantity quantity = Quantity::us;
  std::vector<double> samples;  ///< one a round
};
BOOST_DESCRIBE_STRUCT(Figure, (), (name, quantity, samples))
TRILANE_RANGES(Figure, Within<&R::samples>{either_way_us})
/// Throws a Misfit unless the samples are possible values of the quantity.
void cross_check(const Figure& figure);

/// The finding of one of several processes.
struct ProcessReply {
  Finding finding = Finding::undecided;
  bool agrees = true;        ///< with the finding from all samples
  std::uint64_t rounds = 0;  ///< samples of each figure
};
BOOST_DESCRIBE_STRUCT(ProcessReply, (), (finding, agrees, rounds))
constexpr bool in_columns(const ProcessReply&) { return true; }

struct Reply {
  std::string question;  ///< its name
  Finding finding = Finding::undecided;
  std::string sentence;
  std::vector<Figure> figures;
  double seconds = 0;  ///< duration of the experiment
  /// Violations of the simulated device's ordering rules: their number, and the first of them.
  std::uint64_t hazards = 0;
  std::string first_hazard;
  /// The finding of each process, in the order of the samples; absent if one process was asked.
  std::optional<std::vector<ProcessReply>> processes = {};

  /// Returns the number of samples of each figure.
  std::uint64_t rounds() const { return figures.empty() ? 0 : figures.front().samples.size(); }
};
BOOST_DESCRIBE_STRUCT(Reply, (),
                      (question, finding, sentence, figures, seconds, hazards, first_hazard,
                       processes))
TRILANE_RANGES(Reply, Within<&R::sentence, &R::first_hazard>{text_range})
/// Throws a Misfit unless the reply has a name, and its figures have distinct names and equally
/// many samples, as many as all processes together.
void cross_check(const Reply& reply);

/// The replies of one run.
struct Replies {
  Context context;
  std::uint64_t seed = 1;
  std::vector<Reply> answers{};
};
BOOST_DESCRIBE_STRUCT(Replies, (), (context, seed, answers))

/// Version 2 added the processes of an answer, absent otherwise.
inline constexpr Schema replies_schema{"trilane-answers", 1, 2};

/// Rounds the samples to nanoseconds, which keeps files short and consistent with what is shown.
void round_to_nanoseconds(Reply& reply);

/// Returns a file's text, with every sample. Throws std::invalid_argument on infinite numbers.
std::string to_json(const Replies& replies);

/// Reads the output of to_json(). Throws std::invalid_argument, with the place, on anything else. A
/// question may be unknown to this program.
Replies replies_from_json(const std::string& text);

/// Returns what processes found that disagree: "In 2 of 5 processes: no." Empty if all agree.
std::string disagreement(const Reply& reply);

/// Returns "2.00 ms", "2 MiB", the name of an error code.
std::string in_words(Quantity quantity, double value);

/// Returns "Yes: ", the sentence, and any disagreement().
std::string answer_of(const Reply& reply);

/// Returns the questions by subject, each with its finding. Unknown ones come last, by name only.
Page overview_page(const Replies& replies);

/// Returns all questions by subject, with their names.
Page questions_page();

/// Returns a page that shows for each question: a misconception about it, its answer, the result of
/// the simulated device's hazard check, what the answer and the documentation say, and the figures.
/// Unknown questions have only answer and figures. Ends with the number of processes.
Page replies_page(const Replies& replies);

}  // namespace trilane
