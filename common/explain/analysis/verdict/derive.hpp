// Derives everything that follows from measurements: winners, verdicts, answers, doubts, and what
// several GPUs gain; and the error of predictions against measured figures.
#pragma once

#include "common/device/profile/model_error.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// Derives what a comparison's samples, limit and prices imply, each part from those before it:
/// summaries and ratios, break-even, regime, bounds, winners, verdict and advice. A variant with an
/// invalid time fails. Must be called after samples were changed or merged; a second call changes
/// nothing. `simulated` names the profile that all times come from; empty when they were measured.
void derive(Comparison& comparison, const std::string& simulated);

/// Derives the answers and what makes them doubtful from all comparisons, each derived before.
void derive_answers(Results& results);

/// Derives all of it, for results from a file, whose version may lack something.
void derive(Results& results);

/// Sets `regime` and `regime_held` of the comparison by its figures. Does nothing without a limit.
/// Without the reference's times the launch preset is not judged, and `regime` says so.
void judge_regime(Comparison& comparison);

/// Returns the variants that are ok and timed, the shortest mean wall time first.
std::vector<const Measurement*> timed_variants(const Comparison& comparison);

/// Returns true if the ratio is a gain of at least 1% and its interval agrees. A smaller gain can
/// be measured, but processes differ by more.
inline bool is_gain(const Ratio& ratio) { return ratio.high < 1 && ratio.estimate <= 1 / 1.01; }

/// Returns the best variant of each tier that was timed and is not a bound, in the order of the
/// tiers. The reference wins its tier unless another variant is worth a change. Among variants that
/// tie with the fastest, the first of the comparison wins: they are listed from plain to elaborate.
std::vector<Winner> winners_of(const Comparison& comparison);

/// Returns the winner of the tier, or nullptr. Needs derive().
const Winner* winner_of(const Comparison& comparison, Tier tier);

/// Returns the faster winner of the tiers that keep the stages if it leads by more than a tie and
/// at least 1%, otherwise the same operations. nullptr if only rewrites were timed. Needs derive().
const Winner* best_kept(const Comparison& comparison);

/// Returns true if `m` is faster than `base` by a gain.
bool clearly_faster(const Measurement& m, const Measurement& base);

/// Returns the doubts from grave to light, each as a sentence with the command or option that
/// settles it. Simulated times have doubts of their own, about the model.
std::vector<std::string> doubts_about(const Results& results);

/// Returns those about the GPU during a run: it was shared, it throttled, or its clock moved.
std::vector<std::string> doubts_about_gpu(const Context& context);

/// Returns the timed variant with this change, or nullptr. With several policies the first.
const Measurement* find_change(const Comparison& comparison, Change change);

/// The effect of a change on one workload.
enum class Effect { gains, nothing, loses, unclear };

/// Returns the effect by the ratio of wall times: `nothing` is a tie or less than 1%; `unclear`
/// means no ratio, or one from too few rounds.
Effect effect_of(const std::optional<Ratio>& ratio);

/// Returns the answers, a sentence or two each, relative to multi-stream code.
/// - A question whose variant was not timed is left out.
/// - With several workloads each change names `most` of them, those with the largest effects.
/// - "Memset?" needs a traced run, "Settings?" several host memories or ways of waiting.
/// - An application has a question for each candidate, see candidate_answers().
std::vector<Answer> answers_to(std::span<const Comparison> comparisons, std::size_t most = 3);

/// Returns an answer for each candidate of a replay except the reference: "Graph?", "Pinned?".
std::vector<Answer> candidate_answers(const Comparison& comparison);

/// Returns a label for a comma-separated list: "launch/pageable".
std::string in_list(std::string label);

/// Returns "5.2x as long on balanced, 2.4x on transfer and 4 more": costs with the names of their
/// workloads, the highest first, and `most` of them.
std::string each_cost(std::vector<std::pair<double, std::string>> costs, std::size_t most);

/// Says for each setting of workloads that ran with several: how long the reference (or the fastest
/// variant) takes with it, compared with the first. Empty without one.
std::string settings_answer(std::span<const Comparison> comparisons, std::size_t most);

/// One workload on one GPU: alone, and with all GPUs at work.
struct OnGpu {
  const Comparison *alone = nullptr, *together = nullptr;
  const Comparison* in_one_process = nullptr;  ///< all at work, too; null: not measured

  /// Returns how many times as long the variant takes with all at work; nothing unless it was timed
  /// both ways.
  std::optional<Ratio> longer(const std::string& variant) const;
  /// Returns the variant to use alone, and with all at work; empty without one.
  std::string best_alone() const;
  std::string best_together() const;
  /// Returns the variant whose times are shown: the reference, or the best one alone.
  std::string shown_variant() const;
};

/// Returns each workload on each GPU that was measured both ways, in the order of the comparisons.
std::vector<OnGpu> on_each_gpu(std::span<const Comparison> comparisons);

/// Sets Measurement::over_processes of each comparison of GPUs in one process.
void compare_with_processes(std::vector<Comparison>& comparisons);

/// Says how much longer passes take while all GPUs work, where another variant is best then, and
/// whether to drive the GPUs from one process or one for each; names `most` of the workloads. Empty
/// unless several GPUs were measured.
std::string gpus_answer(std::span<const Comparison> comparisons, std::size_t most);

/// One workload on one GPU, and split over several.
struct Split {
  const Comparison *one = nullptr, *over = nullptr;

  double gpus() const { return over->workload.gpu_count(); }
  /// Returns the fastest split variant that was measured on one GPU, too; nullptr without one.
  const Measurement* best() const;
  /// Returns how many times the bytes of one GPU all of them copy, both ways at once; 0 if that was
  /// not measured.
  double copies() const;
};

/// Returns each workload that was measured both ways, in the order of the comparisons.
std::vector<Split> splits_in(std::span<const Comparison> comparisons);

/// Returns the largest number of GPUs over which one is split. A workload with fewer chunks uses no
/// more than these. There must be one.
double most_gpus(std::span<const Split> all);

/// Sets over_one_gpu of all measurements, see there.
void derive_splits(std::span<Comparison> comparisons);

/// Returns "1.93 [1.90, 1.96]": how many times as fast as one GPU. Requires over_one_gpu.
std::string speed_of_split(const Measurement& m);

/// Returns the speed as a share of the number of GPUs: "97%".
std::string efficiency_of_split(const Measurement& m, double gpus);

/// Says how many times as fast the best variant is, on the workload that gains most, what limits
/// it, and whether the GPUs share links. Empty unless passes were split.
std::string split_answer(std::span<const Comparison> comparisons);

/// Returns the error of a prediction for a variant of this tier.
Prediction prediction_with(const ModelError& error, Tier tier);

/// Gives each predicted ratio to the reference the error of its bottleneck, if the profile has it
/// from enough cases. Overheads are meant if either variant takes over twice its bound.
void refine_predictions(Comparison& comparison, const ModelError& error);

/// Returns the error factors from measured comparisons and the same ones predicted: entries are
/// matched by position, variants by name. Variants without times on either side are left out. The
/// predicted ones need derive().
/// `measured` and `predicted` of the result stay empty. Throws std::invalid_argument.
ModelError fitted_error(std::span<const Comparison> measured,
                        std::span<const Comparison> predicted);

}  // namespace trilane
