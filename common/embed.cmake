cmake_minimum_required(VERSION 3.25)
# Writes OUTPUT, a source file that holds the text of INPUT as NAMESPACE::NAME.
file(READ "${INPUT}" content)
file(WRITE "${OUTPUT}" "namespace ${NAMESPACE} {
extern const char ${NAME}[];
const char ${NAME}[] = R\"text(${content})text\";
}  // namespace ${NAMESPACE}
")
