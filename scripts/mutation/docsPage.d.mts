import type { Guard } from './guard.d.mts'

export const docsPage: readonly Guard[]
