/** The server as its users start it, and its page in Chromium, where there is one. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

const cwd = fileURLToPath(new URL('..', import.meta.url))
/** `npx playwright-core install chromium` brings one, where the machine has none. */
const browser = [process.env['CHROMIUM'], '/usr/bin/chromium', chromium.executablePath()].find((path = '') => existsSync(path))

const server = spawn(process.execPath, ['--import', 'tsx', 'main.ts'], {
  cwd,
  env: { ...process.env, PORT: '0', PROVIDER: 'local', DELAY: '20' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
let url: string

beforeAll(async () => {
  const [line] = await once(createInterface({ input: server.stdout }), 'line')
  url = line
}, 60_000)

afterAll(() => {
  server.kill('SIGKILL')
})

test('the routes of the page are those of the API', async () => {
  await promisify(execFile)('npm', ['run', 'routes', '--', '--check'], { cwd, shell: process.platform === 'win32' })
})

test.skipIf(browser === undefined)(
  'the page shows tokens as they come, goes on after a reload, and stops',
  { timeout: 60_000 },
  async () => {
    const running = await chromium.launch({ ...(browser && { executablePath: browser }), args: ['--no-sandbox', '--disable-gpu'] })
    try {
      const page = await running.newPage()
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(error.message))
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
      page.setDefaultTimeout(15_000)
      await page.goto(url)
      await page.click('text=Ask')
      const output = page.locator('output')
      await expect.poll(() => output.textContent(), { timeout: 10_000 }).toMatch(/^The \w/)
      const begun = (await output.textContent()) ?? ''
      await page.reload()
      await expect.poll(async () => ((await output.textContent()) ?? '').length, { timeout: 10_000 }).toBeGreaterThan(begun.length)
      expect((await output.textContent())?.startsWith(begun)).toBe(true)
      await page.waitForSelector('#status:has-text("done, ")')
      expect(await output.textContent()).toMatch(/\.$/)

      await page.fill('[name=prompt]', 'What is jade?')
      await page.click('text=Ask')
      await page.click('text=Stop')
      await page.waitForSelector('#status:has-text("cancelled, ")')
      expect(await page.locator('#stop').isHidden()).toBe(true)
      expect(faults).toEqual([])
    } finally {
      await running.close()
    }
  },
)

test('it ends when it is asked to', async () => {
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})
