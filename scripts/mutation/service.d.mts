import type { Guard } from './guard.d.mts'

export const service: readonly Guard[]
