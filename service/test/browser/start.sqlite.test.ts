/** The start page in a browser: every color, and accessibility. */

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Field, inOrder } from '../specification/colors.ts'
import { type Service, service } from '../support/service.ts'
import { chromium, withoutChromium } from './chromium.ts'
import { contrasts } from './contrast.ts'

const moreOf = (page: Page) => page.getByRole('button', { name: /^(Show \d+ more|That is all of them)$/ })
const namesOn = (page: Page): Promise<string[]> => page.getByRole('list', { name: 'Colours' }).locator('li > span').allTextContents()

/** Resolves when the status of the page is this text. @throws an error with what the page shows instead */
async function waitForStatus(page: Page, words: string): Promise<void> {
  try {
    await page.waitForFunction((text) => document.querySelector('[role="status"]')?.textContent === text, words)
  } catch (error) {
    const shown = await page.locator('[role="status"], [role="alert"], dl').allInnerTexts()
    throw new Error(`expected the status ${words}; the page shows: ${shown.join(' | ')}`, { cause: error })
  }
}

/** Chooses an order and loads page after page, until nothing is left. */
async function walk(page: Page, field: Field, order: 'asc' | 'desc'): Promise<void> {
  await page.getByLabel('Order by').selectOption(field)
  await page.getByLabel('Direction').selectOption(order)
  const words = `by ${field === 'rgb' ? 'sum of rgb' : field}, ${order}ending`
  for (let count = 24; count < 148; count += 24) {
    await waitForStatus(page, `${count} of 148 colours, ${words}`)
    await moreOf(page).dispatchEvent('click')
  }
  await waitForStatus(page, `148 of 148 colours, ${words}`)
}

describe.skipIf(withoutChromium())('the start page', () => {
  let it: Service
  beforeAll(async () => {
    it = await service()
  })
  afterAll(() => it?.close())
  const { visit, faults } = chromium()

  test('links to the documentation, the OpenAPI document, the persons and the health check', async () => {
    const page = await visit(it.main)
    const links = page.getByRole('navigation').getByRole('link')
    const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
    expect(targets).toEqual(['/docs', '/openapi.json', '/persons', '/health/ready'])
    for (const target of targets) expect([target, (await fetch(`${it.main}${target}`)).status]).toEqual([target, 200])
  })

  test('shows every colour once, in order, by each field and in both directions, and needs no sideways scrolling on a narrow screen', async () => {
    const page = await visit(it.main, { width: 360 })
    for (const field of ['name', 'hex', 'rgb'] as const) {
      for (const order of ['asc', 'desc'] as const) {
        await walk(page, field, order)
        expect([field, order, await namesOn(page)]).toEqual([field, order, inOrder(field, order).map(({ name }) => name)])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
      }
    }
  })

  test('shows the sent and the next range, and each color', async () => {
    const page = await visit(it.main)
    await waitForStatus(page, '24 of 148 colours, by name, ascending')
    expect(await page.getByLabel('What was asked and answered').getByRole('definition').allTextContents()).toEqual([
      'name; limit 24; order asc',
      'name darkgoldenrod; offset 0; limit 24; order asc',
    ])
    const first = page.getByRole('list', { name: 'Colours' }).getByRole('listitem').first()
    expect(await first.innerText()).toMatch(/^aliceblue\s+#f0f8ff$/)
    const painted = await first.evaluate((item) => ['::before', '::after'].map((part) => getComputedStyle(item, part).backgroundColor))
    expect(painted).toEqual(['rgb(240, 248, 255)', 'rgb(240, 248, 255)'])
  })

  test('keeps the order in its URL, and ignores other values there', async () => {
    const page = await visit(it.main)
    await page.getByLabel('Order by').selectOption('rgb')
    await page.getByLabel('Direction').selectOption('desc')
    await page.waitForURL(`${it.main}/?by=rgb&order=desc`)
    await page.reload()
    await waitForStatus(page, '24 of 148 colours, by sum of rgb, descending')
    await page.goto(`${it.main}/?by=size&order=%3Cb%3E`)
    await waitForStatus(page, '24 of 148 colours, by name, ascending')
  })

  test('can be used with the keyboard alone, and keeps the focus', async () => {
    const page = await visit(it.main)
    await waitForStatus(page, '24 of 148 colours, by name, ascending')
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.id ?? '')
    const reach = async (id: string): Promise<void> => {
      for (let presses = 0; presses < 10 && (await focused()) !== id; presses += 1) await page.keyboard.press('Tab')
      expect(await focused()).toBe(id)
      expect(await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle)).toBe('solid')
    }
    await reach('by')
    await page.keyboard.press('ArrowDown')
    await waitForStatus(page, '24 of 148 colours, by hex, ascending')
    await reach('direction')
    await page.keyboard.press('ArrowDown')
    await waitForStatus(page, '24 of 148 colours, by hex, descending')
    await reach('more')
    for (const count of [48, 72, 96, 120, 144, 148, 148]) {
      await page.keyboard.press('Enter')
      await waitForStatus(page, `${count} of 148 colours, by hex, descending`)
      expect(await focused()).toBe('more')
    }
    expect(await namesOn(page)).toHaveLength(148)
    expect(await moreOf(page).getAttribute('aria-disabled')).toBe('true')
  })

  test('has enough contrast in the light and in the dark color scheme', async () => {
    const page = await visit(it.main)
    await waitForStatus(page, '24 of 148 colours, by name, ascending')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const found = await contrasts(page)
      expect(found.length).toBeGreaterThan(60)
      expect(found.filter(({ what, ratio }) => ratio < (what.startsWith('the edge') ? 3 : 4.5))).toEqual([])
    }
  })

  test('has no motion if the user prefers reduced motion', async () => {
    const page = await visit(it.main)
    await waitForStatus(page, '24 of 148 colours, by name, ascending')
    const animation = (): Promise<string> =>
      page
        .locator('.stones li')
        .first()
        .evaluate((item) => getComputedStyle(item).animationName)
    expect(await animation()).toBe('none')
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    expect(await animation()).toBe('appear')
  })

  test('reports that the service does not answer, and can retry', async () => {
    const first = await service()
    onTestFinished(first.close)
    const page = await visit(first.main)
    await waitForStatus(page, '24 of 148 colours, by name, ascending')
    await first.close()

    const alert = page.getByRole('alert')
    const again = page.getByRole('button', { name: 'Try again' })
    await moreOf(page).dispatchEvent('click')
    await alert.getByText('The service does not answer.').waitFor()
    expect(await namesOn(page)).toHaveLength(24)
    await page.getByLabel('Order by').selectOption('hex')
    await expect.poll(() => namesOn(page)).toEqual([])
    await again.click()
    await alert.waitFor()
    // So many requests were refused; the browser may say so after the page does.
    await expect.poll(() => faults.length).toBe(4)
    expect(new Set(faults.splice(0))).toEqual(new Set([expect.stringContaining('ERR_CONNECTION_REFUSED')]))

    const second = await service({ environment: { PORT: new URL(first.main).port } })
    onTestFinished(second.close)
    await again.focus()
    await page.keyboard.press('Enter')
    await waitForStatus(page, '24 of 148 colours, by hex, ascending')
    expect(await namesOn(page)).toEqual(
      inOrder('hex', 'asc')
        .slice(0, 24)
        .map(({ name }) => name),
    )
    await alert.waitFor({ state: 'hidden' })
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('more')
  })

  test('links to the persons as a table with a header row', async () => {
    const page = await visit(it.main)
    await page.getByRole('link', { name: 'Persons' }).click()
    expect(await page.getByRole('columnheader').allTextContents()).toEqual(['first name', 'last name'])
    expect(await page.getByRole('row').nth(1).getByRole('cell').allTextContents()).toEqual(['Isaac', 'Newton'])
  })
})
