# ctest reads this when it starts, and adds each suite that the test program lists. CMakeLists.txt
# sets the variables, see trilane_suites() there.
if(NOT EXISTS ${program})
  add_test(${prefix}.not_built ${program})  # ctest reports the missing file
  return()
endif()
execute_process(COMMAND ${program} --list_content RESULT_VARIABLE code
                OUTPUT_VARIABLE content ERROR_VARIABLE content)
# The cases of a suite follow it, indented.
string(REGEX MATCHALL "(^|\n)[^ \n]+" outermost "${content}")
string(REGEX MATCHALL "(^|\n)[^ \n]+ ?\n " suites "${content}")
list(LENGTH outermost expected)
list(LENGTH suites found)
if(NOT code EQUAL 0 OR found EQUAL 0 OR NOT found EQUAL expected)
  message(SEND_ERROR "not every case of ${program} is in a suite:\n${content}")
  add_test(${prefix}.not_every_case_is_in_a_suite ${CMAKE_COMMAND} -E false)
endif()
foreach(suite IN LISTS suites)
  if(NOT suite MATCHES "\\*")  # run by hand
    continue()
  endif()
  string(REGEX REPLACE "[^A-Za-z0-9_]" "" suite "${suite}")
  if(NOT suite MATCHES "${matching}" OR (except AND suite MATCHES "${except}"))
    continue()
  endif()
  add_test(${prefix}.${suite} ${program} --run_test=${suite} --log_level=warning)
  set_tests_properties(${prefix}.${suite} PROPERTIES ENVIRONMENT "${environment}" ${properties})
endforeach()
