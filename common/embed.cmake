cmake_minimum_required(VERSION 3.25)
# Writes OUTPUT, a source file that contains the text of INPUT.
file(READ "${INPUT}" content)
file(WRITE "${OUTPUT}" "namespace trilane::simulator {
extern const char built_in_profile_json[];
const char built_in_profile_json[] = R\"json(${content})json\";
}  // namespace trilane::simulator
")
