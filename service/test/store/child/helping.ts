/** Asks the command line for its help. */

import { commandLine } from '../../../src/settings.ts'

commandLine(['--help'])
