/** Faults of errors that an endpoint declares: their status, their bodies, their types, and those of a group. */
import { type Api, group, int, ok, problem, reply, text } from 'lapidary'
import { z } from 'zod'
import { returning, serving } from './oneResponse.ts'
import { type Planted, plain, replacing, without } from './planted.ts'

const SoldOut = z.object({ item: z.string() })
const sold = returning(ok(text), { errors: [reply(409, SoldOut)] })
const sellingOut = serving(sold, ({ fail }: { fail: (status: number, options: object) => unknown }) =>
  fail(409, { body: { item: 'opal' } }),
)
const declared: Planted = {
  words: ['errors'],
  api: sold,
  at: 'it',
  right: [sellingOut],
  faults: [
    [
      'another status',
      replacing(sellingOut, 409, (response) => ({ ...response, status: 410 })),
      'status',
      'expected one of the declared statuses (200, 409), got 410',
    ],
    ['another body', replacing(sellingOut, 409, (response) => ({ ...response, body: '{"item":7}' })), 'body', 'at "/item"'],
    [
      'an undeclared member',
      replacing(sellingOut, 409, (response) => ({ ...response, body: '{"item":"opal","secret":7}' })),
      'undeclared-members',
      'the body has an undeclared member at "/secret"',
    ],
  ],
}

const outOfStock = problem(409, '/problems/out-of-stock', z.object({ left: z.int() }))
const soldOutTyped = returning(ok(text), { errors: [reply(409), outOfStock, problem(409, '/problems/closed')] })
const stocked = serving(soldOutTyped, ({ fail }: { fail: (status: number, options: object) => unknown }) =>
  fail(409, { body: { type: '/problems/out-of-stock', left: 3 }, detail: 'Only three are left.' }),
)
const withProblem = (members: object) =>
  replacing(stocked, 409, (response) => ({
    ...response,
    body: JSON.stringify({ type: '/problems/out-of-stock', title: 'Conflict', status: 409, left: 3, ...members }),
  }))
const problems: Planted = {
  words: ['problem'],
  api: soldOutTyped,
  at: 'it',
  right: [stocked, withProblem({ type: 'about:blank' }), withProblem({ type: '/problems/closed', left: undefined })],
  faults: [
    ['a member of another type', withProblem({ left: 'three' }), 'body', 'at "/left"'],
    ['a missing member', withProblem({ left: undefined }), 'body', 'at "/left"'],
    ['an undeclared member', withProblem({ secret: 7 }), 'undeclared-members', 'the body has an undeclared member at "/secret"'],
    ['the member of another type of problem', withProblem({ type: '/problems/closed' }), 'undeclared-members', 'at "/left"'],
    ['another status', withProblem({ status: 410 }), 'body', 'at "/status"'],
    ['no title', withProblem({ title: undefined }), 'body', 'at "/title"'],
  ],
}

const grouped = group(
  { errors: [reply(409, SoldOut), reply(410)], responseHeaders: { 'X-Edition': '7' } },
  returning(ok(text), { query: { size: int }, errors: [reply(410, text)] }),
)
const groupServer = (status: number, body: unknown) =>
  serving(grouped as Api, ({ fail }: { fail: (status: number, options: object) => unknown }) => fail(status, { body }))
const groups: Planted = {
  words: ['group'],
  api: grouped as Api,
  at: 'it',
  right: [groupServer(409, { item: 'opal' }), groupServer(410, 'gone')],
  faults: [
    [
      'a status that is not of the group',
      replacing(groupServer(409, { item: 'opal' }), 409, (response) => ({ ...response, status: 423 })),
      'status',
      'got 423',
    ],
    [
      'an error of the group with another body',
      replacing(groupServer(409, { item: 'opal' }), 409, (response) => ({ ...response, body: '{"item":7}' })),
      'body',
      'at "/item"',
    ],
    [
      'an error without the headers of the group',
      replacing(groupServer(410, 'gone'), 410, (response) => without('x-edition', response)),
      'headers',
      'expected X-Edition to be "7", got none',
    ],
    [
      'the error of the group in place of an own one',
      replacing(groupServer(410, 'gone'), 410, (response) => ({
        ...response,
        ...plain('{}', 410),
        headers: ['Content-Type', 'application/json', 'X-Edition', '7'],
      })),
      'body',
      'expected Content-Type to be text/plain',
    ],
  ],
}

export const errors: readonly Planted[] = [declared, problems, groups]
