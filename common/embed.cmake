cmake_minimum_required(VERSION 3.25)
# Writes OUTPUT, a source file with the text of INPUT as the array NAME in a NAMESPACE. BYTES: with
# its bytes as the array NAME_code, of NAME_bytes; without INPUT they are none.
if(BYTES)
  set(content "")
  if(INPUT)
    file(READ "${INPUT}" content HEX)
  endif()
  string(LENGTH "${content}" digits)
  math(EXPR bytes "${digits} / 2")
  string(REGEX REPLACE "(..)" "0x\\1," content "${content}")
  file(WRITE "${OUTPUT}" "#include <cstddef>
namespace ${NAMESPACE} {
extern const unsigned char ${NAME}_code[];
extern const std::size_t ${NAME}_bytes;
alignas(8) const unsigned char ${NAME}_code[] = {${content}0};
const std::size_t ${NAME}_bytes = ${bytes};
}  // namespace ${NAMESPACE}
")
  return()
endif()
file(READ "${INPUT}" content)
file(WRITE "${OUTPUT}" "namespace ${NAMESPACE} {
extern const char ${NAME}[];
const char ${NAME}[] = R\"json(${content})json\";
}  // namespace ${NAMESPACE}
")
