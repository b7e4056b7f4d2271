/** One Chromium page for the tests of a file. Every error in the page fails a test. */

import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { path, program, startBrowser } from '../../../scripts/chromium.mjs'

/** Says that there is no Chromium, where there is none; tests skip what needs it. */
export function withoutChromium(): boolean {
  if (program === undefined)
    process.stdout.write(`There is no Chromium at ${path} (CHROMIUM names another place): what pages do in it is not tested.\n`)
  return program === undefined
}

export interface Chromium {
  /** The page at this address, for a reader who prefers light and no movement; in a window of this width, in pixels. */
  readonly visit: (url: string, window?: { readonly width?: number }) => Promise<Page>
  /** What went wrong since the test began; what is still there when it ends fails it. */
  readonly faults: string[]
}

/** To be called where hooks may be: it starts before the tests and ends with them. */
export function chromium(): Chromium {
  let running: Browser | undefined
  let page: Page
  let origin = ''
  const faults: string[] = []

  beforeAll(async () => {
    running = await startBrowser()
    const context = await running.newContext()
    // Shorter than a test may take, so that it says what it waited for.
    context.setDefaultTimeout(60_000)
    await context.exposeBinding('violated', (_, what: string) => faults.push(`violates the policy: ${what}`))
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
        Reflect.get(window, 'violated')(`${violatedDirective} ${blockedURI}`)
      })
    })
    context.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:')) faults.push(`asks ${request.url()}`)
    })
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) faults.push(`says ${message.text()}`)
    })
    context.on('weberror', (error) => faults.push(`throws ${error.error().message}`))
    page = await context.newPage()
  })
  afterAll(() => running?.close())
  afterEach(() => expect(faults.splice(0)).toEqual([]))

  const visit: Chromium['visit'] = async (url, { width = 1024 } = {}) => {
    ;({ origin } = new URL(url))
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 700 })
    await page.goto(url)
    return page
  }
  return { visit, faults }
}
