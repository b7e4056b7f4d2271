import type { Guard } from './guard.d.mts'

export const values: readonly Guard[]
