// The service that the soak starts loads this module first. V8 compiles a function to machine code when it was called
// often, and rare requests call some functions often only after hours. The code, and the lists of the code that depends on a
// shape of objects, are in the memory of the process. The number of functions in the program limits them. Without these
// compilers, only the service itself can grow.
import { setFlagsFromString } from 'node:v8';

for (const flag of ['--no-sparkplug', '--no-maglev', '--no-turbofan']) setFlagsFromString(flag);
