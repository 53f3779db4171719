cmake_minimum_required(VERSION 3.25)
# Writes revision.hpp, but only if the revision changed.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12
                OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT revision)
  set(revision unknown)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT
"#pragma once
inline constexpr char trilane_version[] = \"@VERSION@\";
inline constexpr char trilane_revision[] = \"@revision@\";
inline constexpr char trilane_build_type[] = \"@BUILD_TYPE@\";
")
