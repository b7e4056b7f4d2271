/** Asks the command line for its help. */

import { readCommandLine } from '../../../src/settings.ts'

readCommandLine(['--help'])
