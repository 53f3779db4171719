// How a comparison and its workload stand in files: compiled once, in results_io.cpp, because the
// files of other rooms contain them, too.
#pragma once

#include "common/base/json/json_schema.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

extern template boost::json::value value_of(const Workload&, const Range&);
extern template void read(const boost::json::value&, Workload&, const Range&);
extern template boost::json::object detail::schema_of_type<Workload>(const Range&);

extern template boost::json::value value_of(const Comparison&, const Range&);
extern template void read(const boost::json::value&, Comparison&, const Range&);
extern template boost::json::object detail::schema_of_type<Comparison>(const Range&);

}  // namespace trilane
