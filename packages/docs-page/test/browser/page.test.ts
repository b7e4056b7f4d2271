/** The documentation page in a browser: it shows and tries every operation, with each kind of credentials, for everyone. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { documentationPage } from '@lapidary/docs-page'
import { mount, operations } from 'lapidary'
import { listen } from 'lapidary/node'
import { serve } from 'lapidary/server'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chromium, withoutChromium } from '../../../../service/test/browser/chromium.ts'
import { checks, handlers } from '../../../lapidary/test/support/everything.ts'
import { api } from '../../../lapidary/test/support/everythingApi.ts'
import { serveGuarded, startLoginServer } from '../support/guarded.ts'

/** `SAMPLES=whole` judges each state of the page in each appearance. */
const isWhole = process.env['SAMPLES'] === 'whole'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const findOperation = (page: Page, path: string): Locator =>
  page.locator('.opblock', { has: page.locator(`[data-path="${path}"]`) }).first()

const openOperation = async (page: Page, path: string): Promise<Locator> => {
  const operation = findOperation(page, path)
  await operation.locator('.opblock-summary-control').click()
  await operation.locator('.opblock-body').waitFor()
  return operation
}

/** Sends the request of an operation. @returns the status and the body that the page shows */
async function execute(operation: Locator): Promise<readonly [status: string, body: string]> {
  await operation.getByRole('button', { name: 'Execute' }).click()
  const response = operation.locator('.live-responses-table .response')
  await response.waitFor()
  return [await response.locator('.response-col_status').innerText(), await response.locator('.highlight-code code').first().innerText()]
}

describe.skipIf(withoutChromium())('the page of an API with every word of the language', () => {
  const { visit } = chromium()
  let url = ''
  let close: () => Promise<unknown> = async () => {}
  beforeAll(async () => {
    const page = documentationPage(api, { title: 'Everything', description: 'All *words* of the language.' })
    const server = serve({ ...api, docs: mount('/docs') }, { ...handlers, docs: page }, { auth: checks })
    const running = await listen(server, { port: 0 })
    url = running.url
    close = () => running.close({ drain: 0 })
  })
  afterAll(() => close())

  test('shows every endpoint and webhook', async () => {
    const page = await visit(`${url}/docs`)
    await page.locator('.opblock').first().waitFor()
    const shown = await page
      .locator('.opblock-summary')
      .evaluateAll((all) =>
        all.map((one) =>
          [one.querySelector('.opblock-summary-method')?.textContent, one.querySelector('[data-path]')?.getAttribute('data-path')].join(
            ' ',
          ),
        ),
      )
    const documented = operations(api).flatMap(({ operation }) =>
      operation['~kind'] === 'mount' ? [] : [operation.route.replace(/[:*](\w+)/g, '{$1}').replace(/(?<=\w)\/$/, '')],
    )
    expect(documented.length).toBeGreaterThan(50)
    expect(shown.toSorted()).toEqual([...documented, 'POST item.soldOut', 'POST job.done'].toSorted())
  })

  /** Rules about colors depend on the scheme, and rules about places on the width: the first two have both of each. */
  const appearances = [
    ['light', 1200],
    ['dark', 390],
    ['dark', 1200],
    ['light', 390],
  ] as const
  test.each(appearances.slice(0, isWhole ? 4 : 2))(
    'has no serious fault for readers with disabilities, %s and %i pixels wide',
    async (colorScheme, width) => {
      const page = await visit(`${url}/docs`, { width })
      await page.emulateMedia({ colorScheme })
      await page.locator('.opblock').first().waitFor()
      await page.waitForFunction((isDark) => document.documentElement.classList.contains('dark-mode') === isDark, colorScheme === 'dark')
      await page.evaluate(axeSource)
      /** The page of many operations takes seconds: what lies over it is judged alone. */
      const findFaults = (part: string): Promise<readonly string[]> =>
        page.evaluate(async (selector) => {
          const { violations } = await Reflect.get(window, 'axe').run(selector, { resultTypes: ['violations'] })
          return violations
            .filter(({ impact }: { impact: string }) => impact === 'serious' || impact === 'critical')
            .flatMap(({ id, nodes }: { id: string; nodes: readonly { html: string }[] }) =>
              nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`),
            )
        }, part)
      if (isWhole) expect(await findFaults('html')).toEqual([])
      for (const path of ['/search', '/orders', '/films', '/welcome', '/survey', '/mixture']) await openOperation(page, path)
      const [status] = await execute(await openOperation(page, '/stock/look'))
      expect(status).toBe('200')
      await page.evaluate(() => {
        for (const tab of [...document.querySelectorAll<HTMLElement>('button.tablinks[data-name=model]')].slice(0, 8)) tab.click()
      })
      expect(await findFaults('html')).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      await page.getByRole('button', { name: 'Authorize' }).first().click()
      await page.locator('.dialog-ux').waitFor()
      expect(await findFaults(isWhole ? 'html' : '.dialog-ux')).toEqual([])
    },
    60_000,
  )
})

describe.skipIf(withoutChromium())('a request of the page', () => {
  const { visit, faults } = chromium()
  let url = ''
  let closeAll: () => Promise<unknown> = async () => {}
  let loginUrl = ''
  beforeAll(async () => {
    const loginServer = await startLoginServer()
    loginUrl = loginServer.url
    const running = await listen(serveGuarded(loginUrl), { port: 0 })
    url = running.url
    closeAll = () => {
      loginServer.close()
      return running.close({ drain: 0 })
    }
  })
  afterAll(() => closeAll())

  // The login server has another origin, which the description names. This runs before the faults are compared.
  afterEach(() => void faults.push(...faults.splice(0).filter((fault) => !fault.startsWith(`asks ${loginUrl}/`))))

  /** The part of the login window that is about one scheme. */
  async function openScheme(page: Page, name: string): Promise<Locator> {
    await page.getByRole('button', { name: 'Authorize' }).first().click()
    return page.locator('.auth-container', { has: page.locator('h4', { hasText: new RegExp(`^${name}\\s`) }) }).first()
  }

  async function authorize(page: Page, name: string, ...values: readonly string[]): Promise<void> {
    const part = await openScheme(page, name)
    for (const [index, value] of values.entries()) await part.locator('input').nth(index).fill(value)
    // As people do, and as a form would be sent.
    await part.locator('input').last().press('Enter')
    await part.getByText('Logout').waitFor()
    await page.getByRole('button', { name: 'Close' }).first().click()
  }

  test.each<readonly [name: string, path: string, values: readonly string[], expected: string]>([
    ['token', '/token', ['of-ann'], 'of-ann'],
    ['password', '/password', ['ann', 'ä: 5 €'], 'ann:ä: 5 €'],
    ['X-Key', '/header', ['of-ann'], 'of-ann'],
    ['key', '/query', ['a&b=c'], 'a&b=c'],
    ['session', '/cookie', ['a;b c'], 'a;b c'],
    ['own', '/own', ['of-ann'], 'of-ann'],
  ])('has the credentials of %s', async (name, path, values, expected) => {
    const page = await visit(`${url}/docs`)
    await page.locator('.opblock').first().waitFor()
    await authorize(page, name, ...values)
    expect(await execute(await openOperation(page, path))).toEqual(['200', expected])
    expect(await page.evaluate(() => document.cookie)).toBe('')
  })

  test('has the credentials of two schemes', async () => {
    const page = await visit(`${url}/docs`)
    await page.locator('.opblock').first().waitFor()
    await authorize(page, 'session', 'first')
    await authorize(page, 'token', 'second')
    expect(await execute(await openOperation(page, '/both'))).toEqual(['200', 'first and second'])
  })

  test('has the cookies that the endpoint declares', async () => {
    const page = await visit(`${url}/docs`)
    await page.locator('.opblock').first().waitFor()
    const operation = await openOperation(page, '/basket')
    await operation.getByPlaceholder('basket').fill('two opals')
    expect(await execute(operation)).toEqual(['200', 'two opals'])
  })

  test.each(['login', 'openid'])('has the token of a login: %s', async (name) => {
    const page = await visit(`${url}/docs`)
    await page.locator('.opblock').first().waitFor()
    const part = await openScheme(page, name)
    const [popup] = await Promise.all([page.waitForEvent('popup'), part.getByRole('button', { name: `Authorize ${name}` }).click()])
    if (!popup.isClosed()) await popup.waitForEvent('close')
    await part.getByText('Logout').waitFor()
    await page.getByRole('button', { name: 'Close' }).first().click()
    expect(await execute(await openOperation(page, `/${name}`))).toEqual(['200', 'of-the-login'])
  })
})
