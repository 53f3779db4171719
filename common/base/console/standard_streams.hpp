// Standard input, output and error, whatever state the program inherited.
#pragma once

namespace trilane {

/// Must be called first. Turns a failed write into an error: otherwise SIGPIPE or SIGXFSZ would end
/// the program before it has written its other outputs. Opens closed ones of the three streams so
/// that writing to them fails, because the next opened file would take their place.
void secure_standard_streams();

}  // namespace trilane
