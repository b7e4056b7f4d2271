/** Servers that change what they store, as they may: sequences find no fault in them. */
import { type CheckReport, checkServer, formatReport, rules } from '@lapidary/testing'
import { type Api, created, endpoint, int, list, noContent, ok, prefix, reply, text, withHeaders } from 'lapidary'
import { listen } from 'lapidary/node'
import { type HttpHandler, serve } from 'lapidary/server'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

const sequenceRules = rules.filter((rule) => 'scope' in rule)
const one = { params: { id: int }, errors: [reply(404)] }
const Location = { headers: { Location: text } }

async function check(api: Api, server: HttpHandler, clients: number): Promise<CheckReport> {
  const { url, close } = await listen(server, { port: 0, host: '127.0.0.1' })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  return checkServer(api, url, { write: true, seed: 1, steps: 300, clients, rules: sequenceRules })
}

const NewBook = z.object({ title: z.string().max(20) })
const Book = z.object({ id: z.int(), title: z.string() })
const books = prefix('/books', {
  list: endpoint('GET /', { response: ok(list(Book)) }),
  create: endpoint('POST /', { body: NewBook, response: created(Book, Location) }),
  item: endpoint('GET /:id', { ...one, response: ok(Book) }),
  replace: endpoint('PUT /:id', { ...one, body: NewBook, response: noContent }),
  remove: endpoint('DELETE /:id', { ...one, response: noContent }),
})

/** Serves books whose titles are stored by a function of the sent title and the stored one. */
function serveBooks(store: (sent: string, before: string | undefined) => string): HttpHandler {
  const shelf = new Map<number, z.infer<typeof Book>>()
  let last = 0
  return serve(books, {
    list: () => [...shelf.values()],
    create: ({ body }) => {
      last += 1
      const book = { id: last, title: store(body.title, undefined) }
      shelf.set(last, book)
      return withHeaders(book, { Location: `/books/${last}` })
    },
    item: ({ params: { id }, fail }) => shelf.get(id) ?? fail(404),
    replace: ({ params: { id }, body, fail }) => {
      const book = shelf.get(id)
      return book === undefined ? fail(404) : void shelf.set(id, { id, title: store(body.title, book.title) })
    },
    remove: ({ params: { id }, fail }) => (shelf.delete(id) ? undefined : fail(404)),
  })
}

test.each([1, 4])('a server may add text around a text (%i clients)', async (clients) => {
  const report = await check(
    books,
    serveBooks((sent) => `${sent} (added by ann)`),
    clients,
  )
  expect(report.failures, formatReport(report)).toEqual([])
  expect(report.sequences).toMatchObject([{ skipReason: '' }])
})

test('the text before the change is no such text', async () => {
  const { failures } = await check(
    books,
    serveBooks((sent, before) => before ?? sent),
    1,
  )
  expect(failures).toMatchObject([{ rule: 'read-writes' }, { rule: 'list-items' }])
})

const NewJob = z.object({ prompt: z.string().max(20) })
const Job = z.object({ id: z.int(), state: z.enum(['running', 'done']), output: z.string() })

test('an item with a state may move on without a request', async () => {
  const jobs = prefix('/jobs', {
    create: endpoint('POST /', { body: NewJob, response: created(Job, Location) }),
    item: endpoint('GET /:id', { ...one, response: ok(Job) }),
  })
  const reads: number[] = []
  const show = (id: number): z.infer<typeof Job> => {
    const count = reads[id] ?? 0
    return { id, state: count > 3 ? 'done' : 'running', output: 'a'.repeat(Math.floor(count / 3)) }
  }
  const server = serve(jobs, {
    create: () => withHeaders(show(reads.push(0) - 1), { Location: `/jobs/${reads.length - 1}` }),
    item: ({ params: { id }, fail }) => {
      const count = reads[id]
      if (count === undefined) return fail(404)
      reads[id] = count + 1
      return show(id)
    },
  })
  const report = await check(jobs, server, 1)
  expect(report.failures, formatReport(report)).toEqual([])
  expect(report.sequences).toMatchObject([{ skipReason: '' }])
})

const NewNote = z.object({
  title: z.string().max(20),
  kind: z.enum(['short', 'long']),
  text: z.string().max(20).optional(),
  tags: z.array(z.string().max(5)).max(3).optional(),
})
const Note = NewNote.extend({ id: z.int() })
type StoredNote = z.infer<typeof Note>
const notes = prefix('/notes', {
  list: endpoint('GET /', { response: ok(list(Note)) }),
  create: endpoint('POST /', { body: NewNote, response: created(Note, Location) }),
  item: endpoint('GET /:id', { ...one, response: ok(Note) }),
  replace: endpoint('PUT /:id', { ...one, body: NewNote, response: ok(Note) }),
  change: endpoint('PATCH /:id', { ...one, body: NewNote.partial(), response: ok(Note) }),
  remove: endpoint('DELETE /:id', { ...one, response: noContent }),
})

/** What the endpoints of notes show of one. */
type NoteViews = Partial<Record<'list' | 'create' | 'item' | 'change', (note: StoredNote) => StoredNote>>

function serveNotes(views: NoteViews): HttpHandler {
  const shown = new Map<number, StoredNote>()
  let last = 0
  const show = (kind: keyof NoteViews, note: StoredNote): StoredNote => views[kind]?.(note) ?? note
  return serve(notes, {
    list: () => [...shown.values()].map((note) => show('list', note)),
    create: ({ body }) => {
      last += 1
      shown.set(last, { id: last, ...body })
      return withHeaders(show('create', { id: last, ...body }), { Location: `/notes/${last}` })
    },
    item: ({ params: { id }, fail }) => show('item', shown.get(id) ?? fail(404)),
    replace: ({ params: { id }, body, fail }) => {
      if (!shown.has(id)) fail(404)
      shown.set(id, { id, ...body })
      return show('change', { id, ...body })
    },
    change: ({ params: { id }, body, fail }) => {
      const before = shown.get(id) ?? fail(404)
      const note = { ...before, ...body, title: body.title ?? before.title, kind: body.kind ?? before.kind }
      shown.set(id, note)
      return show('change', note)
    },
    remove: ({ params: { id }, fail }) => (shown.delete(id) ? undefined : fail(404)),
  })
}

const summarize = ({ id, title, kind }: StoredNote): StoredNote => ({ id, title, kind })
const partialViews: readonly (readonly [string, NoteViews])[] = [
  ['a list is a summary', { list: summarize }],
  ['a list hides a text and a list of texts', { list: (note) => ({ ...note, text: '', tags: [] }) }],
  ['responses to changes hide a text', { create: (note) => ({ ...note, text: '' }), change: (note) => ({ ...note, text: '' }) }],
  ['a GET leaves out what is never sent', { item: summarize, create: summarize, change: summarize }],
  ['a choice decides what a GET shows', { item: (note) => (note.kind === 'short' ? summarize(note) : note) }],
]

test.each(partialViews.flatMap(([sentence, views]) => [1, 4].map((clients) => [sentence, clients, views] as const)))(
  '%s (%i clients)',
  async (_sentence, clients, views) => {
    const report = await check(notes, serveNotes(views), clients)
    expect(report.failures, formatReport(report)).toEqual([])
    expect(report.sequences).toMatchObject([{ skipReason: '' }])
  },
)

test('a list that has shown a member is compared with the item', async () => {
  const stale = new Map<number, StoredNote>()
  const first = (note: StoredNote): StoredNote => {
    const kept = stale.get(note.id) ?? note
    stale.set(note.id, kept)
    return { ...note, ...(note.text !== undefined && kept.text !== undefined && { text: kept.text }) }
  }
  const { failures } = await check(notes, serveNotes({ list: first }), 1)
  expect(failures).toMatchObject([{ rule: 'list-items', violation: expect.stringContaining('"text"') }])
})
