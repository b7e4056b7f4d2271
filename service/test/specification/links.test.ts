/** Every URL that the service sends leads to one of its endpoints, in the form of its links. */

import { type Api, operations } from 'lapidary'
import { link, match } from 'lapidary/links'
import { afterAll, describe, expect, test } from 'vitest'
import { main, pagination } from '../../src/api.ts'
import { service } from '../support/service.ts'
import { colors } from './colors.ts'
import { ann } from './known.ts'
import { ranged } from './partial.ts'
import { type ReceivedResponse, type Sent, send, withJson } from './send.ts'

const it = await service()
afterAll(it.close)

/** The URLs in the headers of an answer. */
const sentIn = ({ headers: { location, link: links = '' } }: ReceivedResponse): readonly string[] => [
  ...(location === undefined ? [] : [location]),
  ...[...links.matchAll(/<([^>]*)>/g)].map(([, target = '']) => target),
]

/** Which endpoint a URL that `base` sent leads to, and what is there. */
async function followed(base: string, api: Api, url: string): Promise<{ name: string; params: object; response: ReceivedResponse }> {
  const found = match(api, new URL(url, base), { base })
  if (found === undefined) throw new Error(`${url} leads to no endpoint.`)
  expect(link(found.endpoint, found)).toBe(url)
  const response = await send(base, `GET ${url}`)
  expect(response.status, `of ${url}`).toSatisfy((status: number) => status >= 200 && status < 300)
  return { name: found.name, params: found.params, response }
}

const added: readonly (readonly [what: string, request: Sent, name: string, params: object])[] = [
  ['a user', withJson('POST /users', ann), 'users.item', { userid: 4 }],
  ...[17, 0, -5, Number.MAX_SAFE_INTEGER].map(
    (productId) =>
      [`the product ${productId}`, withJson('POST /products', { productId }), 'products.item', { productid: productId }] as const,
  ),
]

test.each(added)('the Location of %s', async (_what, request, name, params) => {
  const [url = '', ...others] = sentIn(await send(it.main, request))
  expect(others).toEqual([])
  expect(await followed(it.main, main, url)).toMatchObject({ name, params })
})

const ways = ['name', 'hex', 'rgb'].flatMap((field) => ['asc', 'desc'].map((order) => `${field}; limit 60; order ${order}`))

describe.each([['main', main] as const, ['pagination', pagination] as const])('the Links of %s', (deployment, api) => {
  test.each(ways)('connect the pages: %s', async (range) => {
    const base = it[deployment]
    const names: string[] = []
    let response = await send(base, ranged(range))
    for (let [url] = sentIn(response); url !== undefined; [url] = sentIn(response)) {
      const next = await followed(base, api, url)
      names.push(next.name)
      response = next.response
    }
    expect(names).toEqual(Array.from({ length: Math.ceil(colors.length / 60) - 1 }, () => 'colors'))
  })
})

test('no other endpoint sends a Location or a Link', () => {
  const senders = operations(main).flatMap(({ name, operation }) => {
    if (operation['~kind'] === 'mount') return []
    const declared = [operation.response, ...operation.errors].flatMap(({ headers }) => Object.keys(headers))
    return declared.some((header) => /^(?:location|link)$/i.test(header)) ? [name] : []
  })
  const request = [...added.map(([, { line }]) => line), 'GET /colors'].map((line) => {
    const [method = '', url = ''] = line.split(' ')
    return match(main, url, { method })?.name
  })
  expect(new Set(senders)).toEqual(new Set(request))
})
