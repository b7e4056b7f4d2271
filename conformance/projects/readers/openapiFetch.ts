/** The calls by openapi-fetch, with the types of openapi-typescript. */
import createClient from 'openapi-fetch'
import type { paths as Bookmarks } from './bookmarks.js'
import {
  bookmarksUrl,
  createName,
  expectResponse,
  getSession,
  mode,
  note,
  observeFetch,
  opal,
  page,
  printFound,
  sheet,
  stonesUrl,
  thumbnail,
} from './calls.js'
import type { paths as Stones } from './stones.js'

const stones = createClient<Stones>({ baseUrl: stonesUrl, fetch: observeFetch })
const bookmarks = createClient<Bookmarks>({ baseUrl: bookmarksUrl, fetch: observeFetch })

/** The library writes JSON. The types of the document take any other serializer of the same value. */
const asForm = {
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  bodySerializer: (body: object) =>
    new URLSearchParams(
      Object.entries(body).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, String(one)])),
    ),
}
const asMultipart = {
  bodySerializer: (body: object) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(body)) for (const one of [value].flat()) form.append(name, one)
    return form
  },
}
/** A file, as openapi-typescript types it. */
const typed = (file: File): string => file as unknown as string

// The API of stones.

const token = { Authorization: 'Bearer agate' }

const all = await stones.GET('/stones', { params: { query: { tags: ['a', 'b'], filter: { owner: 'Ann' }, order: { by: 'name' } } } })
expectResponse(all.response, 200, all.data, { tags: ['a', 'b'], page: 1, owner: 'Ann', sizes: [], by: 'name' })

const stone = { name: 'Opal', weight: 2.5, tags: ['a'] }
const bySession = await stones.POST('/stones', { headers: { Cookie: 'session=agate' }, body: stone })
expectResponse(bySession.response, 201, bySession.data, { id: 1, ...stone })
const byToken = await stones.POST('/stones', {
  body: stone,
  bodySerializer: asForm.bodySerializer,
  headers: { ...asForm.headers, ...token },
})
expectResponse(byToken.response, 201, byToken.data, { id: 1, ...stone })
if (mode !== 'mocked') {
  const later = await stones.POST('/stones', { headers: token, body: { name: 'later', tags: ['a'] } })
  expectResponse(later.response, 202, later.data, { job: 1, name: 'later' })
  const taken = await stones.POST('/stones', { headers: token, body: { name: 'taken', tags: ['a'] } })
  expectResponse(taken.response, 409, taken.error?.status, 409)
}
if (mode === 'real') {
  const there = await stones.POST('/stones', { headers: token, body: { name: 'there', tags: ['a'] }, redirect: 'manual' })
  expectResponse(there.response, 303, there.response.headers.get('Location'), '/stones?tags=there')
}

const picture = await stones.PUT('/stones/{id}/picture', {
  params: { path: { id: 1 } },
  headers: { 'X-Machine': 'lathe' },
  body: { title: 'Opal', tags: ['a'], picture: typed(opal) },
  ...asMultipart,
})
expectResponse(picture.response, 200, picture.data, { title: 'Opal', tags: ['a'], bytes: 4, others: [] })
if (mode === 'real') {
  const pictures = await stones.PUT('/stones/{id}/picture', {
    params: { path: { id: 1 } },
    headers: { 'X-Machine': 'lathe' },
    body: { title: 'Opal', tags: ['a', 'b'], picture: typed(opal), others: [note, note].map(typed) },
    ...asMultipart,
  })
  expectResponse(pictures.response, 200, pictures.data, { title: 'Opal', tags: ['a', 'b'], bytes: 4, others: [4, 4] })
}

const cookie = { theme: 'dark', visits: 3 } as const
const theme = await stones.GET('/theme', { params: { cookie }, headers: { Cookie: 'theme=dark; visits=3' } })
expectResponse(theme.response, 200, theme.data, ['dark', '3'])

if (mode !== 'mocked') {
  const tags = await stones.GET('/tags', { parseAs: 'text' })
  expectResponse(tags.response, 200, tags.response.headers.get('X-Tags'), 'a,b')
}

// The example.

const name = createName('openapi_fetch')
const signedUp = await bookmarks.POST('/accounts', { body: { name, password: 'a stone is a stone' } })
expectResponse(signedUp.response, 201, signedUp.data?.name, name)
const session = { Cookie: `session=${getSession(signedUp.response)}` }
const me = await bookmarks.GET('/account', { headers: session })
expectResponse(me.response, 200, me.data, signedUp.data)
const added = await bookmarks.POST('/tokens', { headers: session, body: { scopes: ['read', 'write'] } })
expectResponse(added.response, 201)
const robot = { Authorization: `Bearer ${added.data?.token}` }

const body = { url: 'https://opal.example/', title: 'Opal', tags: ['stone', 'fire'] }
const first = await bookmarks.POST('/bookmarks', { params: { header: { 'Idempotency-Key': `"${name} 1"` } }, headers: robot, body })
expectResponse(first.response, 201, first.data?.title, 'Opal')
const params = { path: { id: first.data?.id ?? 0 } }
const found = await bookmarks.GET('/bookmarks', {
  params: { query: { sort: 'title', filter: { tag: 'fire', isDead: false } } },
  headers: robot,
})
expectResponse(found.response, 200, found.data?.length, 0)
const one = await bookmarks.GET('/bookmarks/{id}', { params, headers: robot })
expectResponse(one.response, 200, one.data, first.data)
const header = { 'If-Match': one.response.headers.get('ETag') ?? '"1"' }
const changed = await bookmarks.PATCH('/bookmarks/{id}', {
  params: { ...params, header },
  headers: { ...robot, 'Content-Type': 'application/merge-patch+json' },
  body: { title: 'Black opal', tags: null },
})
expectResponse(changed.response, 200, [changed.data?.title, changed.data?.tags], ['Black opal', []])
const imported = await bookmarks.POST('/bookmarks/import', { headers: robot, body: { sheet: typed(sheet) }, ...asMultipart })
expectResponse(imported.response, 200, imported.data, { added: 1, known: 0 })
const exported = await bookmarks.GET('/bookmarks/export', { headers: { ...robot, Accept: 'text/csv' }, parseAs: 'text' })
expectResponse(exported.response, 200, exported.data?.split('\r\n')[2], `${page},"Here, ""now""",a b,`)
if (mode === 'real') {
  const set = await bookmarks.PUT('/bookmarks/{id}/thumbnail', {
    params,
    headers: robot,
    body: { picture: typed(thumbnail) },
    ...asMultipart,
  })
  expectResponse(set.response, 204)
  const got = await bookmarks.GET('/bookmarks/{id}/thumbnail', { params, headers: robot, parseAs: 'blob' })
  expectResponse(got.response, 200, got.data?.size, thumbnail.size)
}
const begun = await bookmarks.POST('/checks', { headers: robot })
expectResponse(begun.response, 202, begun.data?.total, 2)
const removed = await bookmarks.DELETE('/bookmarks/{id}', { params, headers: robot })
expectResponse(removed.response, 204)

// What it cannot do.

const form = { title: 'Opal', picture: typed(opal) }
const owned = { filter: { owner: 'Ann', sizes: [1, 2] } }
const limits = {
  'a cookie parameter': () => stones.GET('/theme', { params: { cookie } }),
  'the credentials of a scheme': () => stones.POST('/stones', { body: stone }),
  'a form with a file': () =>
    stones.PUT('/stones/{id}/picture', { params: { path: { id: 1 } }, headers: { 'X-Machine': 'lathe' }, body: form }),
  'the media type of a body that is not JSON': () =>
    bookmarks.PATCH('/bookmarks/{id}', { params: { ...params, header }, headers: robot, body: { title: 'Opal' } }),
  'a list in a deepObject': () => stones.GET('/stones', { params: { query: owned } }),
}
await printFound(limits)
