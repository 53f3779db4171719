// Standard input, output and error, whatever the program was started with.
#pragma once

namespace trilane {

/// To be called first. Makes a write that fails an error, where SIGPIPE or SIGXFSZ would end the
/// program before it has written its other outputs. Opens those of the three streams that are
/// closed, since the next file that is opened would take their place, in such a way that writing to
/// them fails.
void secure_standard_streams();

}  // namespace trilane
