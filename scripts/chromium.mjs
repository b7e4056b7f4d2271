// Starts Chromium without a window, for the tests and the pictures of the pages.
import { chromium } from 'playwright-core'
import { isExecutable } from './executable.mjs'

/** The path where Chromium is expected. */
export const path = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** The path of Chromium, or undefined where it is missing. */
export const program = isExecutable(path) ? path : undefined

/** No sandbox, which containers lack, and no traffic of its own. */
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts a browser. The caller closes it. */
export const startBrowser = () => chromium.launch({ executablePath: path, args: flags })
