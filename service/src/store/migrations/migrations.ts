/** Every migration, in order: version 1 first and none left out. */

import { tables } from './0001-tables.ts'
import { covering } from './0002-covering.ts'
import type { Migration } from './migration.ts'

export const migrations: readonly Migration[] = Object.freeze([tables, covering])
