#include "common/application/pipelines/chunks/chunks.hpp"

#include "common/base/text/cpp_names.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/model/workload/file/fields.hpp"

namespace trilane {

namespace {

/// Accepts the names that the demangler writes; a vector type counts as its elements.
std::optional<Element> element_of(const std::string& type) {
  static const std::map<std::string, Element> known{
      {"char", Element::int8},           {"signed char", Element::int8},
      {"unsigned char", Element::uint8}, {"bool", Element::uint8},
      {"short", Element::int16},         {"unsigned short", Element::uint16},
      {"int", Element::int32},           {"unsigned int", Element::uint32},
      {"long", Element::int64},          {"unsigned long", Element::uint64},
      {"long long", Element::int64},     {"unsigned long long", Element::uint64},
      {"__half", Element::float16},      {"float", Element::float32},
      {"double", Element::float64},      {"uchar", Element::uint8},
      {"ushort", Element::uint16},       {"uint", Element::uint32},
      {"ulong", Element::uint64},        {"longlong", Element::int64},
      {"ulonglong", Element::uint64},    {"__half2", Element::float16}};
  auto found = known.find(type);
  const bool vector = !type.empty() && type.back() >= '1' && type.back() <= '4';
  if (found == known.end() && vector) found = known.find(type.substr(0, type.size() - 1));
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

bool take_end(std::string& text, const std::string& end) {
  if (!text.ends_with(end)) return false;
  text.resize(text.size() - end.size());
  return true;
}

ParameterType type_of(std::string text, const RecordedParameter& parameter) {
  ParameterType type;
  while (take_end(text, " const") || take_end(text, " __restrict") ||
         take_end(text, "__restrict__")) {
  }
  const bool pointer = take_end(text, "*");
  if (pointer != parameter.pointer) return {};
  if (pointer) type.is_const = take_end(text, " const");
  take_end(text, " volatile");
  type.element = element_of(text);
  if (!pointer && type.element && size_of(*type.element) != parameter.bytes) return {};
  return type;
}

/// Returns the types of the kernel's parameters by its demangled name; only sizes for extern "C".
std::vector<ParameterType> parameter_types(const RecordedKernel& kernel) {
  const std::vector<std::string> signature = signature_of(kernel.name);
  std::vector<ParameterType> types(kernel.parameters.size());
  if (signature.size() != types.size()) return types;
  for (std::size_t i = 0; i < types.size(); ++i) {
    types[i] = type_of(signature[i], kernel.parameters[i]);
  }
  return types;
}

}  // namespace

ChunkedIteration::ChunkedIteration(const ApplicationRecording& recorded) : operations(recorded) {
  if (operations.all.empty()) {
    throw UsageError("the iteration holds no copies, memsets or kernels");
  }
  chains = chunk_chains(operations);
  chunks = equal_chunks(operations, chains);
  require_at_most(most_stages, chunks.stages.size(), "operations in a chunk");
  require_at_most(most_buffers, chunks.buffers.size(), "buffers in a chunk");
  for (const RecordedKernel& kernel : recorded.kernels) types.push_back(parameter_types(kernel));
}

void ChunkedIteration::refuse_last(const ChunkStage& stage, const std::string& why) const {
  operations.refuse(operations[stage.operations.back()], why);
}

void require_at_most(std::size_t most, std::size_t count, const std::string& what) {
  if (count <= most) return;
  throw UsageError(fmt::format("{} {}; a pipeline file has at most {}", count, what, most));
}

}  // namespace trilane
