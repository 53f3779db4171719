# Writes OUTPUT: a definition of every runtime function that HEADER (cuda_runtime_api.h) declares and
# no file of FOLDER defines. Each reports that the simulated device does not model it.
function(functions_in file result)
  file(READ "${file}" text)
  string(REGEX MATCHALL "CUDARTAPI[ \t\r\n]+cuda[A-Za-z0-9_]+" found "${text}")
  list(TRANSFORM found REPLACE "CUDARTAPI[ \t\r\n]+" "")
  set(${result} ${found} PARENT_SCOPE)
endfunction()

functions_in("${HEADER}" names)
list(SORT names)
list(REMOVE_DUPLICATES names)
file(GLOB sources "${FOLDER}/*.cpp")
foreach(source IN LISTS sources)
  functions_in("${source}" modelled)
  list(REMOVE_ITEM names ${modelled})
endforeach()
set(text "namespace trilane::simulator {\nint not_modelled(const char* name);\n}\n\n")
foreach(name IN LISTS names)
  string(APPEND text
         "extern \"C\" int ${name}() { return trilane::simulator::not_modelled(\"${name}\"); }\n")
endforeach()
file(WRITE "${OUTPUT}" "${text}")
