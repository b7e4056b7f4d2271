/** Witnesses are true: servers of the one description take them, servers of the other refuse them, and clients do not expect them. */

import { type Change, diff, formatWitness, manifest, type Witness } from '@lapidary/testing'
import { type AnyParameter, type Api, endpoint, int, ok, oneOf, optional, reply, text } from 'lapidary'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { formatWitnessTarget } from '../../../src/diff/witness/witness.ts'
import { responder } from '../../support/diff/responder.ts'
import { rows } from '../../support/diff/rows/index.ts'

const isBreaking = ({ clients, servers }: Change): boolean => clients === 'breaking' || (clients === 'safe' && servers === 'breaking')

/** All changes of the rows that break the programs that their reason is about. */
const changes = rows.flatMap(({ sentence, old, now }) =>
  diff(manifest(old), manifest(now))
    .filter(isBreaking)
    .map((change) => ({ sentence, old, now, change })),
)

/** Why a change has no witness, by its place and the media types of the row. */
const unseenPlaces =
  /^(?:auth|etag|idempotent|maxBodySize|query loud|body \/note|body \(kind "square"\)\/name|response 200 body(?: types| \/name| \/data\/name| \(event "named"\)\/data\/age)?)?$/

test('most changes that break programs have a witness', () => {
  const without = changes.filter(({ change }) => change.witness === undefined)
  for (const { sentence, change } of without) expect(change.place, sentence).toMatch(unseenPlaces)
  expect(without.length).toBeLessThan(changes.length / 5)
})

const send = async (api: Api, { request }: Witness): Promise<number> => {
  const { method, headers, body } = request
  const init = { method, headers: headers.map(([name, value]): [string, string] => [name, value]), ...(body !== undefined && { body }) }
  return (await responder(api, 5).fetch(new Request(`http://127.0.0.1${formatWitnessTarget(request)}`, init))).status
}

const refused = changes.filter(({ change: { witness } }) => witness !== undefined && witness.response === undefined)

test.each(refused.map((one) => [`${one.sentence}: ${one.change.place}`, one] as const))('%s', async (_, { old, now, change }) => {
  const witness = change.witness as Witness
  const [own, other] = witness.caller === 'old' ? [old, now] : [now, old]
  expect(await send(own, witness), formatWitness(witness)).toBeLessThan(400)
  expect(await send(other, witness), formatWitness(witness)).toBeGreaterThanOrEqual(400)
})

describe('a witness as text', () => {
  const Stone = z.object({ name: z.string(), size: z.number().max(9) })
  const formatChanges = (old: Api, now: Api): readonly string[] =>
    diff(manifest(old), manifest(now)).flatMap(({ witness }) => (witness === undefined ? [] : [formatWitness(witness)]))

  test('a request has what it needs, and the one value that is refused', () => {
    const headers = { 'X-Shop': text }
    const route = 'PUT /shops/:shop/stones/:id' as const
    const params = { shop: text, id: int }
    const put = (schema: z.ZodType, sort: AnyParameter): Api => ({
      put: endpoint(route, { params, headers, query: { sort: sort, other: optional(text) }, body: schema, response: ok(text) }),
    })
    expect(
      formatChanges(put(Stone, optional(oneOf('a', 'b c'))), put(Stone.extend({ size: z.number().max(5) }), optional(oneOf('a')))),
    ).toEqual([
      'PUT /shops/carved/stones/2?sort=b%20c\nX-Shop: carved\nContent-Type: application/json;charset=utf-8\n\n{"name":"topaz set","size":0.02}',
      'PUT /shops/carved/stones/2\nX-Shop: carved\nContent-Type: application/json;charset=utf-8\n\n{"name":"topaz set","size":9}',
    ])
  })

  test('a response follows the request that it may be sent for', () => {
    const get = (schema: z.ZodType): Api => ({ get: endpoint('GET /stone', { response: ok(schema), errors: [reply(404)] }) })
    expect(formatChanges(get(Stone), get(Stone.partial()))[0]).toBe(
      'GET /stone\n\nHTTP/1.1 200\nContent-Type: application/json;charset=utf-8\n\n{}',
    )
  })

  test('changes are plain data, and safe ones have no witness', () => {
    const found = diff(manifest({}), manifest({ get: endpoint('GET /stone', { response: ok(text) }) }))
    expect(JSON.parse(JSON.stringify(found))).toEqual(found)
    expect(
      Object.keys(
        diff(
          manifest({ get: endpoint('GET /a', { response: ok(text) }) }),
          manifest({ got: endpoint('GET /a', { response: ok(text) }) }),
        )[0] ?? {},
      ),
    ).not.toContain('witness')
  })
})
