/** The calls by the clients that @hey-api/openapi-ts generates. */
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
import { createClient as createBookmarks } from './heyBookmarks/client/index.js'
import * as bookmarks from './heyBookmarks/index.js'
import { createClient as createStones, urlSearchParamsBodySerializer } from './heyStones/client/index.js'
import * as stones from './heyStones/index.js'

// The API of stones.

const client = createStones({
  ...{ baseUrl: stonesUrl, fetch: observeFetch },
  // The client requests the credentials of each scheme that an operation takes.
  auth: ({ type, in: place }) => (place === 'cookie' ? undefined : type === 'http' ? 'agate' : 'lathe'),
})

const all = await stones.search({ client, query: { tags: ['a', 'b'], filter: { owner: 'Ann' }, order: { by: 'name' } } })
expectResponse(all.response, 200, all.data, { tags: ['a', 'b'], page: 1, owner: 'Ann', sizes: [], by: 'name' })

const stone = { name: 'Opal', weight: 2.5, tags: ['a'] }
const bySession = await stones.add({ client, auth: ({ in: place }) => (place === 'cookie' ? 'agate' : undefined), body: stone })
expectResponse(bySession.response, 201, bySession.data, { id: 1, ...stone })
const formType = { 'Content-Type': 'application/x-www-form-urlencoded' }
const byToken = await stones.add({ client, body: stone, ...urlSearchParamsBodySerializer, headers: formType })
expectResponse(byToken.response, 201, byToken.data, { id: 1, ...stone })
if (mode !== 'mocked') {
  const later = await stones.add({ client, body: { name: 'later', tags: ['a'] } })
  expectResponse(later.response, 202, later.data, { job: 1, name: 'later' })
  const taken = await stones.add({ client, body: { name: 'taken', tags: ['a'] } })
  expectResponse(taken.response, 409, taken.error?.status, 409)
}
if (mode === 'real') {
  const there = await stones.add({ client, body: { name: 'there', tags: ['a'] }, redirect: 'manual' })
  expectResponse(there.response, 303, there.response?.headers.get('Location'), '/stones?tags=there')
}

const path = { id: 1 }
const picture = await stones.picture({ client, path, body: { title: 'Opal', tags: ['a'], picture: opal } })
expectResponse(picture.response, 200, picture.data, { title: 'Opal', tags: ['a'], bytes: 4, others: [] })
if (mode === 'real') {
  const pictures = await stones.picture({ client, path, body: { title: 'Opal', tags: ['a', 'b'], picture: opal, others: [note, note] } })
  expectResponse(pictures.response, 200, pictures.data, { title: 'Opal', tags: ['a', 'b'], bytes: 4, others: [4, 4] })
}

const theme = await stones.theme({ client, headers: { Cookie: 'theme=dark; visits=3' } })
expectResponse(theme.response, 200, theme.data, ['dark', '3'])

if (mode !== 'mocked') {
  const tags = await stones.tags({ client })
  expectResponse(tags.response, 200, tags.response?.headers.get('X-Tags'), 'a,b')
}

// The example.

const name = createName('hey_api')
const anyone = createBookmarks({ baseUrl: bookmarksUrl, fetch: observeFetch })
const signedUp = await bookmarks.accountSignUp({ client: anyone, body: { name, password: 'a stone is a stone' } })
expectResponse(signedUp.response, 201, signedUp.data?.name, name)
const session = getSession(signedUp.response)
const ann = createBookmarks({
  baseUrl: bookmarksUrl,
  fetch: observeFetch,
  auth: ({ in: place }) => (place === 'cookie' ? session : undefined),
})
const me = await bookmarks.accountMe({ client: ann })
expectResponse(me.response, 200, me.data, signedUp.data)
const added = await bookmarks.accountAddToken({ client: ann, body: { scopes: ['read', 'write'] } })
expectResponse(added.response, 201)
const robot = createBookmarks({
  baseUrl: bookmarksUrl,
  fetch: observeFetch,
  auth: ({ type }) => (type === 'http' ? added.data?.token : undefined),
})

const body = { url: 'https://opal.example/', title: 'Opal', tags: ['stone', 'fire'] }
const first = await bookmarks.bookmarksAdd({ client: robot, headers: { 'Idempotency-Key': `"${name} 1"` }, body })
expectResponse(first.response, 201, first.data?.title, 'Opal')
const bookmark = { client: robot, path: { id: first.data?.id ?? 0 } }
const found = await bookmarks.bookmarksSearch({ client: robot, query: { sort: 'title', filter: { tag: 'fire', isDead: false } } })
expectResponse(found.response, 200, found.data?.length, 0)
const one = await bookmarks.bookmarksOne(bookmark)
expectResponse(one.response, 200, one.data, first.data)
const headers = { 'If-Match': one.response?.headers.get('ETag') ?? '"1"' }
const changed = await bookmarks.bookmarksChange({ ...bookmark, headers, body: { title: 'Black opal', tags: null } })
expectResponse(changed.response, 200, [changed.data?.title, changed.data?.tags], ['Black opal', []])
const imported = await bookmarks.bookmarksImport({ client: robot, body: { sheet } })
expectResponse(imported.response, 200, imported.data, { added: 1, known: 0 })
const exported = await bookmarks.bookmarksExport({ client: robot, headers: { Accept: 'text/csv' } })
expectResponse(exported.response, 200, exported.data?.split('\r\n')[2], `${page},"Here, ""now""",a b,`)
if (mode === 'real') {
  const set = await bookmarks.bookmarksSetThumbnail({ ...bookmark, body: { picture: thumbnail } })
  expectResponse(set.response, 204)
  const got = await bookmarks.bookmarksThumbnail(bookmark)
  expectResponse(got.response, 200, got.data instanceof Blob && got.data.size, thumbnail.size)
}
const begun = await bookmarks.checksStart({ client: robot })
expectResponse(begun.response, 202, begun.data?.total, 2)
const removed = await bookmarks.bookmarksRemove(bookmark)
expectResponse(removed.response, 204)

// What it cannot do.

const owned = { filter: { owner: 'Ann', sizes: [1, 2] } }
const limits = {
  // @ts-expect-error It has no member for cookies, and ignores one.
  'a cookie parameter': () => stones.theme({ client, cookie: { theme: 'dark' } }),
  'the second media type of a body': () => stones.add({ client, body: stone, headers: formType }),
  'a list in a deepObject': () => stones.search({ client, query: owned }),
}
await printFound(limits)
