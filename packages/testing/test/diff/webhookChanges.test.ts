/** What a change of a webhook does to the programs that receive it, and to those that send it. */
import { type ApiManifest, diff, formatDiff, manifest } from '@lapidary/testing'
import { content, form, json, text, webhook } from 'lapidary'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const Order = z.object({ id: z.int(), note: z.string().optional() })
const of = (body: z.ZodType, more: object = {}): ApiManifest => manifest({ paid: webhook('order.paid', { body, ...more }) })
const old = of(Order)
const nothing = manifest({})

const changesOf = (one: ApiManifest, other: ApiManifest): readonly unknown[] =>
  diff(one, other).map(({ endpoint, place, change, clients, servers }) => [endpoint, place, change, clients, servers])

describe('the directions are those of a response', () => {
  test.each<readonly [string, ApiManifest, ApiManifest, string, string, string, string]>([
    ['it is new', nothing, old, '', 'added', 'safe', 'breaking'],
    ['it is gone', old, nothing, '', 'removed', 'breaking', 'safe'],
    ['a new required member', old, of(Order.extend({ total: z.int() })), 'body /total', 'added', 'safe', 'breaking'],
    ['a new optional member', old, of(Order.extend({ total: z.int().optional() })), 'body /total', 'added', 'safe', 'safe'],
    ['a member that is gone', old, of(Order.omit({ id: true })), 'body /id', 'removed', 'breaking', 'safe'],
    ['an optional member that is gone', old, of(Order.omit({ note: true })), 'body /note', 'removed', 'safe', 'safe'],
    ['a member that may now be absent', old, of(Order.partial({ id: true })), 'body /id', 'changed', 'breaking', 'safe'],
    ['a member that is always there', old, of(Order.required()), 'body /note', 'changed', 'safe', 'breaking'],
    ['a wider type', old, of(Order.extend({ id: z.union([z.int(), z.string()]) })), 'body /id', 'changed', 'breaking', 'safe'],
    ['a narrower type', old, of(Order.extend({ id: z.int().min(1) })), 'body /id', 'changed', 'safe', 'breaking'],
    ['it is deprecated', old, of(Order, { deprecated: true }), 'deprecated', 'changed', 'safe', 'safe'],
  ])('%s', (_kind, one, other, ...expected) => {
    expect(changesOf(one, other)).toEqual([['webhook order.paid', ...expected]])
  })

  test('another media type breaks both', () => {
    const [one, other] = [
      manifest({ a: webhook('a', { body: content(Order, json) }) }),
      manifest({ a: webhook('a', { body: content(Order, form) }) }),
    ]
    expect(changesOf(one, other)).toEqual([['webhook a', 'body types', 'changed', 'breaking', 'breaking']])
    // The first is sent.
    const both = manifest({ a: webhook('a', { body: content(Order, json, form) }) })
    expect(changesOf(one, both)).toEqual([])
  })

  test('the name counts, and not the place in the API', () => {
    const moved = manifest({ webhooks: { orderPaid: webhook('order.paid', { body: Order }) } })
    expect(changesOf(old, moved)).toEqual([])
    expect(changesOf(old, manifest({ paid: webhook('order.done', { body: Order }) }))).toEqual([
      ['webhook order.done', '', 'added', 'safe', 'breaking'],
      ['webhook order.paid', '', 'removed', 'breaking', 'safe'],
    ])
  })

  test('the reasons speak of both', () => {
    expect(formatDiff(diff(old, nothing))).toContain('Old clients wait for it, and new servers do not send it.')
    expect(formatDiff(diff(old, of(Order.omit({ id: true }))))).toContain('Old clients rely on it, and new servers do not send it.')
  })
})

describe('the manifest', () => {
  test('has webhooks by name, sorted, and nothing for an API without', () => {
    const made = manifest({ z: webhook('z', { body: text }), a: { b: webhook('a', { body: text, summary: 'none of the wire' }) } })
    expect(Object.keys(made.webhooks ?? {})).toEqual(['a', 'z'])
    expect(made.webhooks?.['a']).toEqual({
      body: { media: [{ types: ['text/plain;charset=utf-8'], read: 'whole' }], schema: null, streams: false },
      deprecated: false,
    })
    expect(nothing).toEqual({ manifest: 1, endpoints: {}, mounts: {} })
  })

  test.each([
    ['no object', []],
    ['no body', { a: { body: null, deprecated: false } }],
    ['no deprecation', { a: { body: old.webhooks?.['order.paid']?.body } }],
    ['a body without media', { a: { body: { schema: null, streams: false }, deprecated: false } }],
  ])('with %s is refused', (_kind, webhooks) => {
    expect(() => diff(old, { ...nothing, webhooks } as never)).toThrow(TypeError)
  })
})
