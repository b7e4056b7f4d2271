import type { Guard } from './guard.d.mts'

export const adapters: readonly Guard[]
