/** Requests the help of the command line. */

import { readCommandLine } from '../../../src/settings.ts'

readCommandLine(['--help'])
