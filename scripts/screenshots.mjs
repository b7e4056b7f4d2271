// Takes the pictures in docs/images: pages of the built service, in Chromium.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startBrowser } from './chromium.mjs'
import { createReplica } from './replica.mjs'

const folder = fileURLToPath(new URL('../docs/images', import.meta.url))

/** Waits for the colours. */
const waitForColors = (page) => page.locator('.stones li').first().waitFor()

/** Sends a request from the page of the greeting. */
async function tryGreeting(page) {
  const hello = page.locator('.opblock', { has: page.locator('[data-path="/hello"]') })
  await hello.locator('.opblock-summary-control').click()
  await hello.getByPlaceholder('name').fill('Ann')
  await hello.getByRole('button', { name: 'Execute' }).click()
  await hello.locator('.live-responses-table').waitFor()
  await page.evaluate(() => scrollTo(0, 0))
}

const pictures = [
  { name: 'start', path: '/', colorScheme: 'light', ready: waitForColors },
  { name: 'start-dark', path: '/?by=hex&order=asc', colorScheme: 'dark', ready: waitForColors },
  { name: 'docs', path: '/docs', colorScheme: 'light', ready: tryGreeting },
  { name: 'docs-dark', path: '/docs', colorScheme: 'dark', ready: tryGreeting },
  { name: 'docs-phone', path: '/docs', colorScheme: 'light', ready: tryGreeting, width: 390, height: 844 },
]

mkdirSync(folder, { recursive: true })
const service = await createReplica('sqlite::memory:')
const chromium = await startBrowser()
try {
  await service.start()
  for (const { name, path, colorScheme, ready, width = 1200, height = 1400 } of pictures) {
    const page = await chromium.newPage({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' })
    await page.goto(`${service.urls.main}${path}`)
    await ready(page)
    await page.screenshot({ path: join(folder, `${name}.png`) })
    await page.close()
  }
} finally {
  await chromium.close()
  await service.remove()
}
