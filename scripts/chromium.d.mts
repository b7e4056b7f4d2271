import type { Browser } from 'playwright-core'

/** The path where Chromium is expected. */
export const path: string

/** The path of Chromium, or undefined where it is missing. */
export const program: string | undefined

/** Starts Chromium without a window. The caller closes it. */
export function startBrowser(): Promise<Browser>
