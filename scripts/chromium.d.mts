import type { Browser } from 'playwright-core'

/** Where Chromium is looked for. */
export const path: string

/** Where it is, if it is there. */
export const program: string | undefined

/** Starts it, without a window. Whoever starts it closes it. */
export function browser(): Promise<Browser>
