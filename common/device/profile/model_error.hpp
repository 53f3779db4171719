// The error of the simulated device's predictions against the GPU of its profile.
#pragma once

#include "common/base/json/ranges.hpp"

namespace trilane {

/// In 95% of cases the measured figure was within this factor of the predicted one, either way.
struct ErrorFactor {
  std::uint64_t cases = 0;
  double factor = 1;  ///< at least 1
};
BOOST_DESCRIBE_STRUCT(ErrorFactor, (), (cases, factor))
TRILANE_RANGES(ErrorFactor, Within<&R::factor>{{1, 1e6}})

/// The errors of ratios by tier (model/variant/model.hpp). Absent without a case.
struct RatioErrors {
  std::optional<ErrorFactor> same_operations{}, moved_together{}, rewritten{};
};
BOOST_DESCRIBE_STRUCT(RatioErrors, (), (same_operations, moved_together, rewritten))

/// Computed by explain/analysis/verdict/ from measured results and a prediction of the same work.
/// Ratios of wall times are of any two variants of a comparison; each counts for the tier that is
/// further from the same operations (model/variant/model.hpp). A factor is absent without a case.
struct ModelError {
  std::string
      measured{};  ///< the measured results: "NVIDIA H200, revision 93c4310c20b8, 2026-11-21"
  std::string predicted{};  ///< the predicting Trilane's revision
  std::optional<ErrorFactor> same_operations{}, moved_together{}, rewritten{};
  /// The same by what limits the variants, or the one further from its bound. Absent in older
  /// profiles.
  std::optional<RatioErrors> kernels{}, copies{}, overheads{};
  /// The error of the passes to break-even, if the prediction shows a gain.
  std::optional<ErrorFactor> break_even{};
};
BOOST_DESCRIBE_STRUCT(ModelError, (),
                      (measured, predicted, same_operations, moved_together, rewritten, kernels,
                       copies, overheads, break_even))

}  // namespace trilane
