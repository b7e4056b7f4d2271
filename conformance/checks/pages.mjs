/**
 * The page of `examples/react` in Chromium, with the packed packages: pages of a list, an optimistic change that meets 412, the progress of an
 * upload, live events, and the same without a network, by MSW. axe finds nothing serious, and the console has no errors.
 *
 *   npm run conformance -- --only pages
 *   PICTURES=docs/images npm run conformance -- --only pages    takes its pictures as well
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { program, startBrowser } from '../../scripts/chromium.mjs'
import { findFreePort } from '../../scripts/ports.mjs'
import { runNode } from '../command.mjs'
import { native } from '../compiler.mjs'
import { install } from '../install.mjs'
import { root } from '../places.mjs'

const source = join(root, 'examples/react')
const packages = ['lapidary', '@lapidary/testing', '@lapidary/cli', '@lapidary/tanstack-query']
const vite = 'node_modules/vite/bin/vite.js'

/** A copy of the project with its own packages and the packed ones. Theirs are found above it. */
function createProject(consumer) {
  const folder = join(consumer, 'react')
  const built = ['dist', 'dist-mock', 'public'].map((name) => join(source, name))
  cpSync(source, folder, { recursive: true, filter: (path) => !built.includes(path), verbatimSymlinks: true })
  // Each package once: these use TanStack Query and MSW as the page does.
  for (const name of packages) cpSync(join(consumer, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true })
  return folder
}

/** Serves a built page, and calls `use` with its URL and what ends the server. */
async function withPage(folder, outDir, use) {
  const port = await findFreePort()
  const words = [vite, 'preview', '--host', '127.0.0.1', '--port', `${port}`, '--outDir', outDir]
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const url = `http://127.0.0.1:${port}/`
  try {
    const isListening = () => fetch(url).then(Boolean, () => false)
    while (!(await isListening())) {
      assert.equal(child.exitCode, null, 'the server of the page ended before it listened')
      await delay(50)
    }
    const end = () => new Promise((done) => child.once('exit', done).kill())
    return await use(url, end)
  } finally {
    child.kill()
  }
}

/** What a visitor does, with a server or without a network. */
async function usePage(page, note) {
  const names = page.locator('.stone span')
  const count = async (number) => {
    await page.waitForFunction((expected) => document.querySelectorAll('.stone').length === expected, number)
    return names.count()
  }
  await count(6)
  await page.getByRole('button', { name: 'More stones' }).click()
  await count(12)

  // A change by this page, and one that meets a change of another.
  await page.getByRole('button', { name: /^beryl/i }).click()
  const form = page.locator('form')
  const shown = form.locator('strong')
  const rename = async (name) => {
    await form.getByLabel('New name').fill(name)
    await form.getByRole('button', { name: 'Rename', exact: true }).click()
  }
  await rename('aquamarine')
  await form.getByText('Renamed.').waitFor()
  await page.getByRole('button', { name: /^aquamarine/i }).waitFor()
  await form.getByRole('button', { name: 'Rename elsewhere' }).click()
  await page.waitForTimeout(600)
  const seen = page.evaluate(
    () =>
      new Promise((done) => {
        const texts = []
        const strong = document.querySelector('form strong')
        const observer = new MutationObserver(() => {
          texts.push(strong.textContent)
          if (strong.textContent.endsWith('(sold)')) done(texts)
        })
        observer.observe(strong, { characterData: true, childList: true, subtree: true })
      }),
  )
  note.expects412 = true
  await rename('emerald')
  await form.getByText('Another person has renamed this stone.', { exact: false }).waitFor()
  // The new name at once, the old one again, and then that of the other person.
  assert.deepEqual(await seen, ['emerald', 'aquamarine', 'aquamarine (sold)'])
  assert.equal(await shown.textContent(), 'aquamarine (sold)')
  note.expects412 = false

  const [before] = await page.locator('.prices li').allTextContents()
  assert(before.startsWith('Stone '))
  await page.waitForFunction((first) => document.querySelector('.prices li').textContent !== first, before)
  assert.equal(await page.locator('.dot.on').count(), 1)

  const photo = { name: 'opal.png', mimeType: 'image/png', buffer: Buffer.alloc(4_000_000) }
  const shares = page.evaluate(
    () =>
      new Promise((done) => {
        const values = []
        const observer = new MutationObserver(() => {
          const { value } = document.querySelector('progress') ?? {}
          if (value !== undefined && value !== values.at(-1)) values.push(value)
          if (document.body.textContent.includes('The server has')) done(values)
        })
        observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
      }),
  )
  await page.getByLabel('Choose a photo').setInputFiles(photo)
  await page.getByText('The server has opal.png: 4,000,000 bytes.').waitFor()
  return shares
}

/** The findings of axe that matter. */
async function findBarriers(page) {
  await page.evaluate(readFileSync(join(source, 'node_modules/axe-core/axe.min.js'), 'utf8'))
  const { violations } = await page.evaluate(() => globalThis.axe.run())
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id}: ${nodes[0].html}`)
}

/** Opens the page; what it says in the console, besides the 412 that it expects, is an error. */
async function openPage(browser, url, options) {
  const page = await browser.newPage({ reducedMotion: 'reduce', ...options })
  page.setDefaultTimeout(15_000)
  const note = { errors: [], expects412: false }
  page.on('console', (message) => {
    const isExpected = note.expects412 && message.text().includes('412')
    if (message.type() === 'error' && !isExpected) note.errors.push(message.text())
  })
  page.on('pageerror', ({ message }) => note.errors.push(message))
  await page.goto(url)
  await page.locator('.prices li').nth(1).waitFor()
  return { page, note }
}

const looks = {
  light: { colorScheme: 'light', viewport: { width: 1100, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1100, height: 900 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 }, isMobile: true, deviceScaleFactor: 2 },
}

/** Each look of the page, with a form that is open: axe, no scrolling sideways, and a picture if it is wanted. */
async function checkLooks(browser, url) {
  for (const [name, look] of Object.entries(looks)) {
    const { page, note } = await openPage(browser, url, look)
    await page.getByRole('button', { name: /^amber/i }).click()
    await page.locator('form').waitFor()
    assert.deepEqual(await findBarriers(page), [], `axe, ${name}`)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    assert(width <= look.viewport.width, `${name}: the page is ${width} pixels wide`)
    const { PICTURES: folder } = process.env
    if (folder !== undefined) await page.screenshot({ path: join(resolve(root, folder), `react-${name}.png`) })
    assert.deepEqual(note.errors, [], name)
    await page.close()
  }
}

/** @param {import('../stage.mjs').Stage} stage */
export async function check({ consumer }) {
  if (program === undefined) return 'skipped: there is no Chromium'
  install('../examples/react')
  const { folder: place } = await consumer()
  const folder = createProject(place)
  const routes = join(folder, 'src/api.routes.ts')
  const before = readFileSync(routes, 'utf8')
  writeFileSync(routes, '')
  const runVite = (...words) => runNode(join(folder, vite), ['build', '--logLevel', 'error', ...words], { cwd: folder })
  await runVite('--outDir', 'dist')
  await runVite('--outDir', 'dist-mock', '--mode', 'mock')
  assert.equal(readFileSync(routes, 'utf8'), before, 'examples/react/src/api.routes.ts is not up to date')
  await runNode(native.program, ['--project', folder])

  const [script = ''] = /assets\/index-[^"]+\.js/.exec(readFileSync(join(folder, 'dist/index.html'), 'utf8')) ?? []
  const bundle = readFileSync(join(folder, 'dist', script), 'utf8')
  assert.doesNotMatch(bundle, /_zod|~standard|setupWorker/, 'the page has schemas or a mock')

  const browser = await startBrowser()
  try {
    const shares = await withPage(folder, 'dist', async (url) => {
      await checkLooks(browser, url)
      const { page, note } = await openPage(browser, url)
      const devtools = await page.context().newCDPSession(page)
      // Bytes a second: an upload takes a second.
      const network = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 4_000_000 }
      await devtools.send('Network.emulateNetworkConditions', network)
      const found = await usePage(page, note)
      assert.deepEqual(note.errors, [])
      assert(found.length >= 4, `the page showed ${found.join()} of an upload that took a second`)
      return found
    })
    await withPage(folder, 'dist-mock', async (url, end) => {
      const { page, note } = await openPage(browser, url)
      // From here on there is no server: all of it is in the page.
      await end()
      await usePage(page, note)
      assert.deepEqual(note.errors, [])
    })
    return `a page of ${Math.round(gzipSync(bundle, { level: 9 }).length / 100) / 10} KB, gzipped, without schemas: a list, 412, ${shares.length} steps of an upload, live prices, with a server and without; axe finds nothing serious`
  } finally {
    await browser.close()
  }
}
