/** Faults that are planted into the service, each of them as it is made in real ones. */
import type { Incoming, Kernel, Outgoing } from 'lapidary/server'

/** An answer that is there as a whole. */
interface Whole {
  status: number
  headers: [name: string, value: string][]
  body: string | Uint8Array | null
}

/** A request as a fault looks at it. */
interface Seen {
  readonly method: string
  readonly target: string
  readonly header: (name: string) => string | undefined
}

/** Changes an answer, or gives another one; `again` asks the service once more, with other words. */
type Change = (answer: Whole, seen: Seen, again: (words: Partial<Words>) => Promise<Whole>) => Whole | Promise<Whole>

/** What may be said otherwise. */
interface Words {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** One fault. */
export interface Fault {
  /** What is wrong with the service: `405 without Allow`. */
  readonly sentence: string
  /** The endpoints where it shows. */
  readonly only: readonly string[]
  readonly change: Change
}

const nameOf = (name: string) => (line: readonly [string, string]) => line[0].toLowerCase() === name.toLowerCase()
const valueIn = ({ headers }: Whole, name: string): string | undefined => headers.find(nameOf(name))?.[1]

const without = (name: string, answer: Whole): Whole => ({ ...answer, headers: answer.headers.filter((line) => !nameOf(name)(line)) })
const having = (name: string, value: string, answer: Whole): Whole => ({
  ...answer,
  headers: [...answer.headers.filter((line) => !nameOf(name)(line)), [name, value]],
})
const saying = (status: number, answer: Whole): Whole => ({ ...answer, status })
const plain = (status: number, body: string, type = 'application/json'): Whole => ({ status, headers: [['Content-Type', type]], body })
const textOf = ({ body }: Whole): string => (typeof body === 'string' ? body : new TextDecoder().decode(body ?? undefined))
// biome-ignore lint/suspicious/noExplicitAny: whatever the service answers
const json = (answer: Whole, change: (value: any) => unknown): Whole => ({
  ...answer,
  body: JSON.stringify(change(JSON.parse(textOf(answer)))),
})

type When = (answer: Whole, seen: Seen) => boolean
const on =
  (when: When, change: Change): Change =>
  (answer, seen, again) =>
    when(answer, seen) ? change(answer, seen, again) : answer

const status =
  (...statuses: readonly number[]): When =>
  (answer) =>
    statuses.includes(answer.status)
const asked =
  (method: string, target: RegExp): When =>
  (_, seen) =>
    seen.method === method && target.test(seen.target)
const both =
  (...all: readonly When[]): When =>
  (answer, seen) =>
    all.every((when) => when(answer, seen))

const oneUser = /^\/users\/\d+$/
const lies =
  (type: string): Change =>
  (answer) =>
    having('Content-Type', type, answer)

/** Remembers how often it was called with a text. */
function counter(): (text: string) => number {
  const counts = new Map<string, number>()
  return (text) => {
    const count = (counts.get(text) ?? 0) + 1
    counts.set(text, count)
    return count
  }
}

const repeated = counter()

/** What GET has answered, by its target. */
const seenBefore = new Map<string, Whole>()

/** What was there before a PUT is there again behind it. */
const undone: Change = async (answer, { method, target }, again) => {
  if (method === 'GET' && answer.status === 200) seenBefore.set(target, answer)
  const before = seenBefore.get(target)
  if (method === 'PUT' && answer.status === 204 && before !== undefined) {
    await again({ body: textOf(before), headers: { 'if-match': undefined, 'if-none-match': undefined } })
  }
  return answer
}

/** What was removed is there all the same. */
const kept: Change = (answer, { method, target }) => {
  if (method === 'GET' && answer.status === 200) seenBefore.set(target, answer)
  return answer.status === 404 && method === 'GET' ? (seenBefore.get(target) ?? answer) : answer
}

/** Every fault, under what it is about. */
export const faults: Readonly<Record<string, readonly Fault[]>> = {
  methods: [
    { sentence: '405 without Allow', only: ['hello'], change: on(status(405), (answer) => without('Allow', answer)) },
    {
      sentence: 'Allow forgets a method',
      only: ['users.item'],
      change: on(status(405), (answer) => having('Allow', (valueIn(answer, 'Allow') ?? '').replace(/,? ?PUT/, ''), answer)),
    },
    {
      sentence: 'Allow names a method that is not there',
      only: ['hello'],
      change: on(status(405), (answer) => having('Allow', `${valueIn(answer, 'Allow')}, PATCH`, answer)),
    },
    { sentence: 'another method is 404', only: ['hello'], change: on(status(405), (answer) => saying(404, answer)) },
    { sentence: 'another method is served like GET', only: ['hello'], change: on(status(405), (_, __, again) => again({ method: 'GET' })) },
    {
      sentence: 'OPTIONS is not known',
      only: ['hello'],
      change: on(asked('OPTIONS', /./), () => plain(404, '{}', 'application/problem+json')),
    },
    { sentence: 'OPTIONS without Allow', only: ['hello'], change: on(asked('OPTIONS', /./), (answer) => without('Allow', answer)) },
    { sentence: 'HEAD is refused', only: ['hello'], change: on(asked('HEAD', /./), (answer) => saying(405, answer)) },
    { sentence: 'HEAD forgets a header', only: ['users.item'], change: on(asked('HEAD', /./), (answer) => without('ETag', answer)) },
    { sentence: 'what is not there is an empty 200', only: ['hello'], change: on(status(404), () => plain(200, '{}')) },
    { sentence: 'what is not there is a 500', only: ['hello'], change: on(status(404), (answer) => saying(500, answer)) },
  ],
  'what comes in': [
    {
      sentence: 'a bad body is a 500',
      only: ['marketing'],
      change: on(both(status(400), asked('POST', /./)), (answer) => saying(500, answer)),
    },
    {
      sentence: 'a bad body is a 422 that nobody declared',
      only: ['marketing'],
      change: on(both(status(400), asked('POST', /./)), (answer) => saying(422, answer)),
    },
    {
      sentence: 'a bad body is taken',
      only: ['products.create'],
      change: on(both(status(400), asked('POST', /./)), () => ({ status: 201, headers: [['Location', '/products/1']], body: null })),
    },
    {
      sentence: 'a bad query is taken',
      only: ['users.list'],
      change: on(both(status(400), asked('GET', /sortby/)), (_, __, again) => again({ target: '/users' })),
    },
    {
      sentence: 'a bad query is a 500',
      only: ['users.list'],
      change: on(both(status(400), asked('GET', /sortby/)), (answer) => saying(500, answer)),
    },
    { sentence: 'a bad capture is a 500', only: ['position'], change: on(status(400), (answer) => saying(500, answer)) },
    {
      sentence: 'a bad capture is taken for 0',
      only: ['position'],
      change: on(both(status(400), asked('GET', /^\/position/)), () => plain(200, '{"xCoord":0,"yCoord":0}')),
    },
    {
      sentence: 'a query that cannot be decoded is taken',
      only: ['hello'],
      change: on(both(status(400), asked('GET', /%/)), (_, __, again) => again({ target: '/hello' })),
    },
    {
      sentence: 'Content-Type is not looked at',
      only: ['marketing'],
      change: on(status(415), (_, __, again) => again({ headers: { 'content-type': 'application/json', 'content-encoding': undefined } })),
    },
    { sentence: 'a body of another type is a 400', only: ['marketing'], change: on(status(415), (answer) => saying(400, answer)) },
    {
      sentence: 'Accept is not looked at',
      only: ['hello'],
      change: on(status(406), (_, __, again) => again({ headers: { accept: undefined } })),
    },
    {
      sentence: 'a required header is not required',
      only: ['headers.both'],
      change: on(both(status(400), asked('GET', /^\/headers/)), (answer) => saying(200, answer)),
    },
  ],
  'who one is': [
    {
      sentence: '401 without WWW-Authenticate',
      only: ['listAll'],
      change: on(status(401), (answer) => without('WWW-Authenticate', answer)),
    },
    {
      sentence: '401 with the challenge of another scheme',
      only: ['listAll'],
      change: on(status(401), (answer) => having('WWW-Authenticate', 'Bearer', answer)),
    },
    { sentence: 'no credentials is a 403', only: ['listAll'], change: on(status(401), (answer) => saying(403, answer)) },
    { sentence: 'the door is open', only: ['listAll'], change: on(status(401), () => plain(200, '[]')) },
    {
      sentence: 'the query is looked at before the credentials',
      only: ['listAll'],
      change: on(both(status(401), asked('GET', /%/)), (answer) => saying(400, answer)),
    },
    {
      sentence: 'Accept is looked at before the credentials',
      only: ['listAll'],
      change: on(
        (answer, seen) => answer.status === 401 && seen.header('accept') !== undefined,
        (answer) => saying(406, answer),
      ),
    },
  ],
  'what goes out': [
    { sentence: 'Vary is missing', only: ['persons'], change: (answer) => without('Vary', answer) },
    {
      sentence: 'whoever asks for HTML gets JSON',
      only: ['persons'],
      change: on(
        (_, seen) => seen.header('accept') === 'text/html',
        (_, __, again) => again({ headers: { accept: 'application/json' } }),
      ),
    },
    { sentence: 'JSON is called text', only: ['hello'], change: on(status(200), lies('text/plain')) },
    {
      sentence: 'a member is missing',
      only: ['users.item'],
      change: on(both(status(200), asked('GET', oneUser)), (answer) => json(answer, ({ email: _, ...user }) => user)),
    },
    {
      sentence: 'a number is sent as a text',
      only: ['users.item'],
      change: on(both(status(200), asked('GET', oneUser)), (answer) => json(answer, (user) => ({ ...user, age: `${user.age}` }))),
    },
    {
      sentence: 'a member leaks that nobody declared',
      only: ['users.item'],
      change: on(both(status(200), asked('GET', oneUser)), (answer) => json(answer, (user) => ({ ...user, hash: 'secret' }))),
    },
    {
      sentence: 'a member leaks in a list',
      only: ['products.list'],
      change: on(status(200), (answer) => json(answer, (items) => items.map((item: object) => ({ ...item, price: 1 })))),
    },
    {
      sentence: 'a date is none',
      only: ['users.item'],
      change: on(both(status(200), asked('GET', oneUser)), (answer) =>
        json(answer, (user) => ({ ...user, registration_date: '2023-02-30' })),
      ),
    },
    {
      sentence: 'one object in place of a list',
      only: ['products.list'],
      change: on(status(200), (answer) => json(answer, ([first]) => first)),
    },
    { sentence: 'a declared header is missing', only: ['users.list'], change: on(status(200), (answer) => without('User-Count', answer)) },
    {
      sentence: 'a declared header is no number',
      only: ['users.list'],
      change: on(status(200), (answer) => having('User-Count', 'three', answer)),
    },
    { sentence: 'success has another status', only: ['hello'], change: on(status(200), (answer) => saying(203, answer)) },
    {
      sentence: 'one order of a list fails',
      only: ['users.list'],
      change: on(asked('GET', /sortby=age/), () =>
        plain(500, '{"type":"about:blank","title":"Internal Server Error","status":500}', 'application/problem+json'),
      ),
    },
    {
      sentence: 'a stream ends within a line',
      only: ['stream'],
      change: on(status(200), (answer) => ({ ...answer, body: textOf(answer).slice(0, -8) })),
    },
    {
      sentence: 'a line of a stream is no JSON',
      only: ['stream'],
      change: on(status(200), (answer) => ({ ...answer, body: `${textOf(answer)}{\n` })),
    },
    {
      sentence: 'a header that every answer has is missing',
      only: ['pages.start'],
      change: (answer) => without('Content-Security-Policy', answer),
    },
    {
      sentence: 'an answer takes longer than is allowed',
      only: ['hello'],
      change: on(asked('GET', /name=/), (answer) => new Promise((resolve) => setTimeout(resolve, 700, answer))),
    },
    {
      sentence: 'an answer is larger than is allowed',
      only: ['echo.query'],
      change: on(status(200), (answer) => ({ ...answer, body: `${textOf(answer)}${' '.repeat(200_000)}` })),
    },
  ],
  refusals: [
    { sentence: 'problem details are called JSON', only: ['position'], change: on(status(400), lies('application/json')) },
    {
      sentence: 'problem details say another status',
      only: ['position'],
      change: on(status(400), (answer) => json(answer, (problem) => ({ ...problem, status: 500 }))),
    },
    {
      sentence: 'a refusal is a page of HTML',
      only: ['position'],
      change: on(status(400), () => plain(400, '<h1>Bad Request</h1>', 'text/html')),
    },
    {
      sentence: 'a refusal shows a stack',
      only: ['position'],
      change: on(status(400), (answer) =>
        json(answer, (problem) => ({ ...problem, stack: 'Error\n    at read (/srv/app/src/read.js:12:3)' })),
      ),
    },
    {
      sentence: 'Retry-After is neither seconds nor a date',
      only: ['echo.unavailable'],
      change: on(status(503), (answer) => having('Retry-After', 'soon', answer)),
    },
    {
      sentence: 'what is not there is null',
      only: ['users.item'],
      change: on(both(status(404), asked('GET', oneUser)), () => plain(200, 'null')),
    },
  ],
  changes: [
    { sentence: '201 without Location', only: ['users.create'], change: on(status(201), (answer) => without('Location', answer)) },
    {
      sentence: 'Location leads nowhere',
      only: ['users.create'],
      change: on(status(201), (answer) => having('Location', '/userz/1', answer)),
    },
    {
      sentence: 'Location leads to what is not there',
      only: ['users.create'],
      change: on(status(201), (answer) => having('Location', '/users/99999', answer)),
    },
    { sentence: 'what is created is a 200', only: ['users.create'], change: on(status(201), (answer) => saying(200, answer)) },
    {
      sentence: 'what is created is not what was sent',
      only: ['users.create'],
      change: on(both(status(200), asked('GET', oneUser)), (answer) => json(answer, (user) => ({ ...user, name: user.name.slice(0, 3) }))),
    },
    { sentence: 'PUT does nothing', only: ['users.replace'], change: undone },
    {
      sentence: 'the same PUT again is refused',
      only: ['users.replace'],
      change: on(both(status(204), asked('PUT', oneUser)), (answer, { target }) =>
        repeated(target) % 2 === 0
          ? plain(409, '{"type":"about:blank","title":"Conflict","status":409}', 'application/problem+json')
          : answer,
      ),
    },
    { sentence: 'DELETE does nothing', only: ['products.remove'], change: kept },
    {
      sentence: 'a second DELETE is a 500',
      only: ['products.remove'],
      change: on(both(status(404), asked('DELETE', /./)), (answer) => saying(500, answer)),
    },
  ],
  conditions: [
    { sentence: 'ETag is missing', only: ['users.item'], change: (answer) => without('ETag', answer) },
    {
      sentence: 'ETag is weak',
      only: ['users.item'],
      change: (answer) => (valueIn(answer, 'ETag') === undefined ? answer : having('ETag', `W/${valueIn(answer, 'ETag')}`, answer)),
    },
    {
      sentence: 'If-None-Match is not looked at',
      only: ['users.item'],
      change: on(status(304), (_, __, again) => again({ headers: { 'if-none-match': undefined } })),
    },
    { sentence: '304 without ETag', only: ['users.item'], change: on(status(304), (answer) => without('ETag', answer)) },
    {
      sentence: 'If-Match is not looked at',
      only: ['users.item'],
      change: on(both(status(412), asked('GET', /./)), (_, __, again) => again({ headers: { 'if-match': undefined } })),
    },
    {
      sentence: 'an update is lost',
      only: ['users.replace'],
      change: on(both(status(412), asked('PUT', /./)), (_, __, again) => again({ headers: { 'if-match': undefined } })),
    },
  ],
  pages: [
    { sentence: 'Accept-Ranges is missing', only: ['colors'], change: (answer) => without('Accept-Ranges', answer) },
    {
      sentence: 'each page skips its first item',
      only: ['colors'],
      change: on(both(status(206), asked('GET', /range=/)), (answer) => json(answer, (items) => items.slice(1))),
    },
    {
      sentence: 'each page repeats its first item',
      only: ['colors'],
      change: on(status(206), (answer) => json(answer, (items) => [...items.slice(0, 1), ...items])),
    },
    { sentence: 'Total-Count is wrong', only: ['colors'], change: on(status(206), (answer) => having('Total-Count', '7', answer)) },
    { sentence: 'Next-Range without Link', only: ['colors'], change: on(status(206), (answer) => without('Link', answer)) },
    {
      sentence: 'Link cannot be read',
      only: ['colors'],
      change: on(status(206), (answer) => (valueIn(answer, 'Link') === undefined ? answer : having('Link', 'next: /colors', answer))),
    },
    {
      sentence: 'Link leads to the same page again',
      only: ['colors'],
      change: on(status(206), (answer, { target }) =>
        valueIn(answer, 'Link') === undefined || !target.includes('range=') ? answer : having('Link', `<${target}>; rel="next"`, answer),
      ),
    },
    {
      sentence: 'a range of another field is a 500',
      only: ['colors'],
      change: on(
        (_, seen) => /^hex/.test(seen.header('range') ?? ''),
        (answer) => saying(500, answer),
      ),
    },
  ],
}

const linesOf = (flat: readonly string[]): [string, string][] =>
  flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as [string, string]] : []))

async function whole({ status: sent, headers, body }: Outgoing): Promise<Whole> {
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) return { status: sent, headers: linesOf(headers), body }
  let text = ''
  for await (const piece of body) text += typeof piece === 'string' ? piece : new TextDecoder().decode(piece)
  return { status: sent, headers: linesOf(headers), body: text }
}

/** The same request in other words. */
function worded(incoming: Incoming, { method, target, headers = {}, body }: Partial<Words>): Incoming {
  const other = (name: string): string | undefined => (name in headers ? headers[name] : incoming.header(name))
  return Object.create(incoming, {
    ...(method === undefined ? {} : { method: { value: method } }),
    ...(target === undefined ? {} : { target: { value: target } }),
    header: { value: other },
    ...(body === undefined ? {} : { body: { value: () => Promise.resolve(new TextEncoder().encode(body)) } }),
  })
}

/** A kernel with a fault. */
export const faulty =
  (kernel: Kernel, { change }: Fault): Kernel =>
  async (incoming) => {
    const { method, target } = incoming
    const seen: Seen = { method, target, header: (name) => incoming.header(name) }
    const answer = await whole(await kernel(incoming))
    const again = async (words: Partial<Words>): Promise<Whole> => whole(await kernel(worded(incoming, words)))
    const { status: changed, headers, body } = await change(answer, seen, again)
    return { status: changed, headers: headers.flat(), body: changed === 204 || changed === 304 ? null : body }
  }
