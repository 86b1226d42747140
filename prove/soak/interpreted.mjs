// The service that the soak starts loads this module before its own code. V8 compiles a function to machine code after
// many calls. The functions of rare requests reach this number of calls only after hours. The machine code, and the
// lists of code that depends on a shape of objects, are in the memory of the process. The number of functions in the
// program limits this memory. This module turns the compilers of V8 off, so that only the service itself can grow.
import { setFlagsFromString } from 'node:v8';

for (const flag of ['--no-sparkplug', '--no-maglev', '--no-turbofan']) setFlagsFromString(flag);
