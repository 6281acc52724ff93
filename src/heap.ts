// Keeps the heap small under load.
import { setFlagsFromString } from 'node:v8'

// V8 allocates what survives a few young collections among its old objects from then on. Rows of requests in flight survive, so all rows would
// become old garbage, and so would all that they refer to.
setFlagsFromString('--no-allocation-site-pretenuring')
// Collects old objects when they have grown by this much. V8 itself waits until they are several times as large.
setFlagsFromString('--heap-growing-percent=30')
