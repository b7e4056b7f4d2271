/** Changes of what an answer may be: it has to become narrower to be safe for clients. */
import {
  byteStream,
  bytes,
  type CookieRecord,
  content,
  cookie,
  created,
  download,
  events,
  html,
  int,
  json,
  list,
  mediaType,
  ndjson,
  noContent,
  ok,
  optional,
  problem,
  reply,
  setCookie,
  text,
} from 'lapidary'
import { z } from 'zod'
import { one, type Row, row } from './row.ts'

const responding = (old: unknown, now: unknown): readonly [Row['old'], Row['old']] => [
  one('GET /a', { response: old as never }),
  one('GET /a', { response: now as never }),
]
const setting = (old: CookieRecord, now: CookieRecord): readonly [Row['old'], Row['old']] =>
  responding(ok(text, { headers: { 'Set-Cookie': setCookie(old) } }), ok(text, { headers: { 'Set-Cookie': setCookie(now) } }))
const raising = (old: readonly unknown[], now: readonly unknown[]): readonly [Row['old'], Row['old']] => [
  one('GET /a', { errors: old as never }),
  one('GET /a', { errors: now as never }),
]
const always = (old: Record<string, string>, now: Record<string, string>): readonly [Row['old'], Row['old']] => [
  one('GET /a', { responseHeaders: old }),
  one('GET /a', { responseHeaders: now }),
]

const name = z.string()
const Named = z.object({ name })
const Aged = Named.extend({ age: z.int() })
const page = html(() => '<p>')
const outOfStock = problem(409, '/problems/out-of-stock', z.object({ left: z.int() }))
const csv = mediaType<unknown>({
  types: ['text/csv'],
  reader: () => (bytes) => JSON.parse(new TextDecoder().decode(bytes)),
  writer: () => (value) => JSON.stringify(value),
})

/** Answers of success, errors and headers of all answers. */
export const responses: readonly Row[] = [
  row('an answer has a member more', responding(ok(Named), ok(Aged)), ['safe', 'breaking'], ['response 200 body /age', 'added']),
  row(
    'an answer has a member more, which may be absent',
    responding(ok(Named), ok(Aged.partial({ age: true }))),
    ['safe', 'safe'],
    ['response 200 body /age', 'added'],
  ),
  row(
    'an answer has a member more, and its readers are strict',
    responding(ok(z.strictObject({ name })), ok(z.strictObject({ name, age: z.int() }))),
    ['breaking', 'breaking'],
    ['response 200 body /age', 'added'],
  ),
  row('an answer has lost a member', responding(ok(Aged), ok(Named)), ['breaking', 'safe'], ['response 200 body /age', 'removed']),
  row(
    'a member of an answer may be absent',
    responding(ok(Named), ok(Named.partial())),
    ['breaking', 'safe'],
    ['response 200 body /name', 'changed'],
  ),
  row(
    'a member of an answer is always there',
    responding(ok(Named.partial()), ok(Named)),
    ['safe', 'breaking'],
    ['response 200 body /name', 'changed'],
  ),
  row(
    'a member of an answer may be null',
    responding(ok(Named), ok(z.object({ name: name.nullable() }))),
    ['breaking', 'safe'],
    ['response 200 body /name', 'changed'],
  ),
  row(
    'a choice in an answer has a name more',
    responding(ok(z.object({ size: z.enum(['s', 'm']) })), ok(z.object({ size: z.enum(['s', 'm', 'l']) }))),
    ['breaking', 'safe'],
    ['response 200 body /size', 'changed'],
  ),
  row(
    'a choice in an answer has lost a name',
    responding(ok(z.object({ size: z.enum(['s', 'm', 'l']) })), ok(z.object({ size: z.enum(['s', 'm']) }))),
    ['safe', 'breaking'],
    ['response 200 body /size', 'changed'],
  ),
  row(
    'a bound in an answer is wider',
    responding(ok(z.object({ age: z.int().max(99) })), ok(z.object({ age: z.int().max(150) }))),
    ['breaking', 'safe'],
    ['response 200 body /age', 'changed'],
  ),
  row(
    'a whole number in an answer may be any',
    responding(ok(Aged), ok(Named.extend({ age: z.number() }))),
    ['breaking', 'safe'],
    ['response 200 body /age', 'changed'],
  ),
  row(
    'a part of a union is new',
    responding(
      ok(z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') })])),
      ok(z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })])),
    ),
    ['breaking', 'safe'],
    ['response 200 body', 'changed'],
  ),
  row(
    'the items of a list have lost a member',
    responding(ok(list(Aged)), ok(list(Named))),
    ['breaking', 'safe'],
    ['response 200 body /*/age', 'removed'],
  ),
  row(
    'an answer keeps members that nobody declared',
    responding(ok(Named), ok(z.looseObject({ name }))),
    ['safe', 'safe'],
    ['response 200 body further members', 'changed'],
  ),
  row(
    'a list comes item after item',
    responding(ok(list(Named)), ok(ndjson(Named))),
    ['breaking', 'breaking'],
    ['response 200 body', 'changed'],
  ),
  row(
    'a stream is no longer sent under an alias',
    responding(ok(ndjson(Named, { aliases: ['application/json'] })), ok(ndjson(Named))),
    ['breaking', 'safe'],
    ['response 200 body types', 'changed'],
  ),
  row(
    'the items of a stream may lack a member',
    responding(ok(ndjson(Named)), ok(ndjson(Named.partial()))),
    ['breaking', 'safe'],
    ['response 200 body /name', 'changed'],
  ),
  row(
    'a stream has an event more',
    responding(ok(events({ named: Named })), ok(events({ named: Named, aged: Aged }))),
    ['breaking', 'safe'],
    ['response 200 body', 'changed'],
  ),
  row(
    'a stream has an event less',
    responding(ok(events({ named: Named, aged: Aged })), ok(events({ named: Named }))),
    ['safe', 'breaking'],
    ['response 200 body', 'changed'],
  ),
  row(
    'the data of an event has a member more',
    responding(ok(events({ named: Named, other: Named })), ok(events({ named: Aged, other: Named }))),
    ['safe', 'breaking'],
    ['response 200 body (event "named")/data/age', 'added'],
  ),
  row(
    'the data of all events may lack a member',
    responding(ok(events(Named)), ok(events(Named.partial()))),
    ['breaking', 'safe'],
    ['response 200 body /data/name', 'changed'],
  ),
  row(
    'events have names now',
    responding(ok(events(Named)), ok(events({ named: Named }))),
    ['breaking', 'breaking'],
    ['response 200 body', 'changed'],
  ),
  row(
    'lines became events',
    responding(ok(ndjson(Named)), ok(events(Named))),
    ['breaking', 'breaking'],
    ['response 200 body types', 'changed'],
  ),
  row('success has another status', responding(ok(Named), reply(202, Named)), ['breaking', 'breaking'], ['response status', 'changed']),
  row('an answer has no body any more', responding(reply(202, Named), reply(202)), ['breaking', 'safe'], ['response 202 body', 'removed']),
  row('an answer has a body now', responding(reply(202), reply(202, Named)), ['safe', 'breaking'], ['response 202 body', 'added']),
  row(
    'nothing is answered where something was',
    responding(ok(Named), noContent),
    ['breaking', 'breaking'],
    ['response status', 'changed'],
  ),
  row(
    'an answer may be had in another type as well',
    responding(ok(content(Named, json)), ok(content(Named, json, csv))),
    ['safe', 'breaking'],
    ['response 200 body types', 'changed'],
  ),
  row(
    'an answer may not be had in a type any more',
    responding(ok(content(Named, json, csv)), ok(content(Named, json))),
    ['breaking', 'safe'],
    ['response 200 body types', 'changed'],
  ),
  row(
    'a page is not made any more',
    responding(ok(content(Named, json, page)), ok(Named)),
    ['breaking', 'safe'],
    ['response 200 body types', 'changed'],
  ),
  row(
    'another type is preferred',
    responding(ok(content(Named, json, csv)), ok(content(Named, csv, json))),
    ['unknown', 'unknown'],
    ['response 200 body types', 'changed'],
  ),
  row(
    'text is answered in place of JSON',
    responding(ok(json), ok(text)),
    ['breaking', 'breaking'],
    ['response 200 body types', 'changed'],
  ),
  row('an answer sets a cookie more', setting({}, { session: text }), ['safe', 'unknown'], ['response 200 cookie session', 'added']),
  row('an answer sets a cookie no longer', setting({ session: text }, {}), ['unknown', 'safe'], ['response 200 cookie session', 'removed']),
  row(
    'a cookie has other attributes',
    setting({ session: cookie(text) }, { session: cookie(text, { path: '/a' }) }),
    ['unknown', 'unknown'],
    ['response 200 cookie session', 'changed'],
  ),
  row(
    'a cookie of an answer is any text that was an integer',
    setting({ visits: int }, { visits: text }),
    ['breaking', 'safe'],
    ['response 200 cookie visits', 'changed'],
  ),
  row(
    'an answer has a header more',
    responding(ok(Named), ok(Named, { headers: { Total: int } })),
    ['safe', 'breaking'],
    ['response 200 header Total', 'added'],
  ),
  row(
    'an answer has lost a header',
    responding(ok(Named, { headers: { Total: int } }), ok(Named)),
    ['breaking', 'safe'],
    ['response 200 header Total', 'removed'],
  ),
  row(
    'an answer has lost a header that was not always there',
    responding(ok(Named, { headers: { Total: optional(int) } }), ok(Named)),
    ['safe', 'safe'],
    ['response 200 header Total', 'removed'],
  ),
  row(
    'a header of an answer may be absent',
    responding(created({ headers: { Location: text } }), created({ headers: { Location: optional(text) } })),
    ['breaking', 'safe'],
    ['response 201 header Location', 'changed'],
  ),
  row(
    'a header of an answer is any text that was an integer',
    responding(ok(Named, { headers: { Total: int } }), ok(Named, { headers: { Total: text } })),
    ['breaking', 'safe'],
    ['response 200 header Total', 'changed'],
  ),
  row(
    'an endpoint has another response of success',
    responding(ok(Named), [ok(Named), reply(202, Aged)]),
    ['breaking', 'safe'],
    ['response 202', 'added'],
  ),
  row(
    'an endpoint no longer has one of its responses of success',
    responding([ok(Named), reply(202, Aged), noContent], [ok(Named), noContent]),
    ['safe', 'breaking'],
    ['response 202', 'removed'],
  ),
  row(
    'one of several responses of success has a member more',
    responding([noContent, ok(Named)], [noContent, ok(Aged)]),
    ['safe', 'breaking'],
    ['response 200 body /age', 'added'],
  ),
  row('an error is new', raising([], [reply(409)]), ['unknown', 'safe'], ['error 409', 'added']),
  row('an error is not raised any more', raising([reply(409)], []), ['safe', 'unknown'], ['error 409', 'removed']),
  row('a problem is new', raising([], [outOfStock]), ['unknown', 'safe'], ['error 409 /problems/out-of-stock', 'added']),
  row(
    'a problem has lost a member',
    raising([outOfStock], [problem(409, '/problems/out-of-stock')]),
    ['breaking', 'safe'],
    ['error 409 /problems/out-of-stock body /left', 'removed'],
  ),
  row(
    'a problem has another type',
    raising([outOfStock], [problem(409, '/problems/sold-out', z.object({ left: z.int() }))]),
    ['unknown', 'unknown'],
    ['error 409 /problems/out-of-stock', 'removed'],
  ),
  row(
    'an error has a body that has lost a member',
    raising([reply(409, Aged)], [reply(409, Named)]),
    ['breaking', 'safe'],
    ['error 409 body /age', 'removed'],
  ),
  row(
    'an error has a body in place of problem details',
    raising([reply(409)], [reply(409, Named)]),
    ['breaking', 'breaking'],
    ['error 409 body', 'added'],
  ),
  row('a header of all answers is gone', always({ 'X-Edition': '1' }, {}), ['breaking', 'safe'], ['always X-Edition', 'removed']),
  row('a header of all answers is new', always({}, { 'X-Edition': '1' }), ['safe', 'breaking'], ['always X-Edition', 'added']),
  row(
    'a header of all answers says something else',
    always({ 'X-Edition': '1' }, { 'X-Edition': '2' }),
    ['unknown', 'unknown'],
    ['always X-Edition', 'changed'],
  ),
  row(
    'a stream of bytes becomes a file',
    responding(ok(byteStream()), ok(download())),
    ['safe', 'unknown'],
    ['response 200 body download', 'changed'],
  ),
  row('bytes become a file', responding(ok(bytes), ok(download())), ['safe', 'unknown'], ['response 200 body download', 'changed']),
  row(
    'a file may have another type as well',
    responding(ok(download('text/csv')), ok(download('text/csv', 'application/pdf'))),
    ['breaking', 'breaking'],
    ['response 200 body types', 'changed'],
  ),
  row(
    'a file may have any type of a range',
    responding(ok(download('image/png')), ok(download('image/*'))),
    ['breaking', 'safe'],
    ['response 200 body types', 'changed'],
  ),
  row(
    'a file has a type of another range',
    responding(ok(download('image/*')), ok(download('video/mp4'))),
    ['breaking', 'breaking'],
    ['response 200 body types', 'changed'],
  ),
  row(
    'a file prefers another type',
    responding(ok(download('text/csv', 'application/pdf')), ok(download('application/pdf', 'text/csv'))),
    ['unknown', 'unknown'],
    ['response 200 body types', 'changed'],
  ),
]
