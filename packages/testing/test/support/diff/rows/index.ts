/** All rows. */

import { bodies } from './bodies.ts'
import { operations } from './operations.ts'
import { parameters } from './requests.ts'
import { responses } from './responses.ts'
import type { Row } from './row.ts'

export type { Row } from './row.ts'

/** Every change that is known, with what it does. */
export const rows: readonly Row[] = [...operations, ...parameters, ...bodies, ...responses]
