// Chromium without a window, for tests of the pages and for their pictures.
import { accessSync, constants } from 'node:fs'
import { chromium } from 'playwright-core'

/** Where it is looked for. */
export const path = process.env.CHROMIUM ?? '/usr/bin/chromium'

function isProgram() {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Where it is, if it is there. */
export const program = isProgram() ? path : undefined

/** Nothing but what it is told to do: no sandbox, which containers lack, and nobody asked for updates. */
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

/** Whoever starts it closes it. */
export const browser = () => chromium.launch({ executablePath: path, args: flags })
