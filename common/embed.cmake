cmake_minimum_required(VERSION 3.25)
# Writes OUTPUT, a source file with the text of INPUT as the array NAME in a NAMESPACE.
file(READ "${INPUT}" content)
file(WRITE "${OUTPUT}" "namespace ${NAMESPACE} {
extern const char ${NAME}[];
const char ${NAME}[] = R\"json(${content})json\";
}  // namespace ${NAMESPACE}
")
