# Writes OUTPUT, a source file with the table of the error codes that INPUT (error_texts.txt) lists.
file(STRINGS "${INPUT}" lines REGEX "^[^#]")
set(table "  {cudaSuccess, \"cudaSuccess\", \"no error\", false},\n")
foreach(line IN LISTS lines)
  string(REGEX REPLACE ": .*" "" name "${line}")
  string(REGEX REPLACE "^[^:]*: " "" text "${line}")
  set(sticky false)
  if(name MATCHES "^sticky ")
    set(sticky true)
    string(REPLACE "sticky " "" name "${name}")
  endif()
  string(APPEND table "  {cudaError${name}, \"cudaError${name}\", \"${text}\", ${sticky}},\n")
endforeach()
file(WRITE "${OUTPUT}" "#include \"common/device/simulator/machine/call.hpp\"

namespace trilane::simulator {
static constexpr ErrorCode table[] = {
${table}};
const std::span<const ErrorCode> error_codes{table};
}  // namespace trilane::simulator
")
