/** The documentation page in a browser: it shows and tries every operation. */

import { operations } from 'lapidary'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { main } from '../../src/api.ts'
import { type Service, service } from '../support/service.ts'
import { chromium, withoutChromium } from './chromium.ts'

/** Every endpoint as OpenAPI writes it: `GET /users/{id}`. */
const documented = operations(main)
  .flatMap(({ operation }) => (operation['~kind'] === 'mount' ? [] : [operation]))
  .map(({ route }) => route.replace(/:(\w+)/g, '{$1}').replace(/(?<=\S)\/$/, ''))

describe.skipIf(withoutChromium())('the documentation page', () => {
  const { visit } = chromium()
  let it: Service
  /** Opened once, since it takes a while; what one test does there does not matter to the others. */
  let page: Page
  beforeAll(async () => {
    it = await service()
    page = await visit(`${it.main}/docs`)
    await page.locator('.opblock').first().waitFor()
  })
  afterAll(() => it?.close())

  test('shows every operation', async () => {
    const texts = await page
      .locator('.opblock-summary')
      .evaluateAll((all) =>
        all.map((one) =>
          ['method', 'path']
            .map((part) => one.querySelector(`.opblock-summary-${part}`)?.textContent?.replaceAll('\u200b', '') ?? '')
            .join(' '),
        ),
      )
    expect(texts.toSorted()).toEqual(documented.toSorted())
    expect(documented.length).toBeGreaterThan(30)
  })

  test('greets the user who tries it out', async () => {
    const hello = page.locator('.opblock', { has: page.locator('[data-path="/hello"]') })
    await hello.locator('.opblock-summary-control').click()
    await hello.getByPlaceholder('name').fill('Ann')
    await hello.getByRole('button', { name: 'Execute' }).click()
    const response = hello.locator('.live-responses-table .response')
    expect(await response.locator('.response-col_status').innerText()).toBe('200')
    expect(JSON.parse(await response.locator('.highlight-code code').first().innerText())).toEqual({ msg: 'Hello, Ann' })
  })

  test.each([
    ['light', 'rgb(255, 255, 255)', ''],
    ['dark', 'rgb(28, 32, 34)', 'dark-mode'],
  ] as const)('follows the color scheme %s', async (colorScheme, background, name) => {
    await page.emulateMedia({ colorScheme })
    // The page hears of it a moment later.
    await page.waitForFunction((expected) => document.documentElement.className === expected, name)
    const { backgroundColor, className } = await page.evaluate(() => {
      const { documentElement } = document
      return { backgroundColor: getComputedStyle(documentElement).backgroundColor, className: documentElement.className }
    })
    expect([backgroundColor, className]).toEqual([background, name])
  })

  test('links to the start page', async () => {
    expect(await page.getByRole('link', { name: 'Lapidary', exact: true }).getAttribute('href')).toBe('/')
  })
})
