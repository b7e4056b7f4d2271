/** Changes of pages by cursors and numbers. No call fails by them: a client takes a page for the last one, so that no replay shows it. */
import { diff, manifest } from '@lapidary/testing'
import { type Api, endpoint, list, ok, text } from 'lapidary'
import { cursorPagination, pagePagination } from 'lapidary/pagination'
import { expect, test } from 'vitest'
import { z } from 'zod'

const Color = z.object({ name: z.string() })
const fields = { name: { codec: text, get: ({ name }: z.infer<typeof Color>) => name } }
const options = { key: ({ name }: z.infer<typeof Color>) => name, default: 'name' } as const
const whole: Api = { colors: endpoint('GET /colors', { response: ok(list(Color)) }) }
const cursors: Api = { colors: endpoint('GET /colors', { ...cursorPagination(Color, fields, options).declaration }) }
const inBody = (next: string): Api => ({
  colors: endpoint('GET /colors', { ...cursorPagination(Color, fields, { ...options, body: { items: 'items', next } }).declaration }),
})
const numbers: Api = { colors: endpoint('GET /colors', { ...pagePagination(Color).declaration }) }

const aPageLess = 'New servers send one page of the items, and old clients take it for all of them.'

/** The reason is that of the direction that breaks. */
test.each<[string, Api, Api, string, string, string]>([
  ['a list comes in pages by cursor', whole, cursors, 'breaking', aPageLess, 'added'],
  ['a list comes in pages by number', whole, numbers, 'breaking', aPageLess, 'added'],
  [
    'pages are a list again',
    cursors,
    whole,
    'safe',
    'Old servers send one page of the items, and new clients take it for all of them.',
    'removed',
  ],
  [
    'pages have numbers in place of cursors',
    cursors,
    numbers,
    'breaking',
    'Old clients select a page by cursor, and new servers by page.',
    'changed',
  ],
  [
    'the cursor has another name in the body',
    inBody('next'),
    inBody('cursor'),
    'breaking',
    'Old clients may look for the cursor of the next page in "next", which new servers do not send: they take a page for the last one.',
    'changed',
  ],
  [
    'the cursor is in the body as well',
    cursors,
    inBody('next'),
    'safe',
    'New clients may look for the cursor of the next page in "next", which old servers do not send: they take a page for the last one.',
    'changed',
  ],
])('%s', (_what, old, now, clients, sentence, change) => {
  const found = diff(manifest(old), manifest(now)).find(({ place }) => place === 'pages')
  expect(found).toMatchObject({ clients, change })
  expect(JSON.stringify(found)).toContain(JSON.stringify(sentence).slice(1, -1))
})

test('a stored manifest has them, and one with others is refused', () => {
  const stored = JSON.parse(JSON.stringify(manifest(inBody('next'))))
  expect(stored.endpoints.colors.pages).toEqual({ by: 'cursor', next: 'next' })
  expect(diff(stored, manifest(inBody('next')))).toEqual([])
  stored.endpoints.colors.pages = { by: 'offset' }
  expect(() => diff(stored, stored)).toThrow(/pages by/)
})
