/** Faults in stored data: changes, conditions, pages. */
import {
  asked,
  both,
  type Change,
  type Faults,
  having,
  json,
  on,
  oneUser,
  plain,
  saying,
  status,
  textOf,
  valueIn,
  type Whole,
  without,
} from './change.ts'

/** What was there before a PUT is there again behind it. */
function undone(): Change {
  const before = new Map<string, Whole>()
  return async (answer, { method, target }, again) => {
    if (method === 'GET' && answer.status === 200) before.set(target, answer)
    const there = before.get(target)
    if (method === 'PUT' && answer.status === 204 && there !== undefined) {
      await again({ body: textOf(there), headers: { 'if-match': undefined, 'if-none-match': undefined } })
    }
    return answer
  }
}

/** What was removed is there all the same. */
function kept(): Change {
  const before = new Map<string, Whole>()
  return (answer, { method, target }) => {
    if (method === 'GET' && answer.status === 200) before.set(target, answer)
    return answer.status === 404 && method === 'GET' ? (before.get(target) ?? answer) : answer
  }
}

/** The second of two alike is refused. */
function onceOnly(): Change {
  const counts = new Map<string, number>()
  return (answer, { target }) => {
    const count = (counts.get(target) ?? 0) + 1
    counts.set(target, count)
    return count % 2 === 0 ? plain(409, '{"type":"about:blank","title":"Conflict","status":409}', 'application/problem+json') : answer
  }
}

export const ofState: Faults = {
  changes: [
    { sentence: '201 without Location', only: ['users.create'], change: on(status(201), (answer) => without('Location', answer)) },
    {
      sentence: 'Location leads nowhere',
      only: ['users.create'],
      change: on(status(201), (answer) => having('Location', '/userz/1', answer)),
    },
    {
      sentence: 'Location leads to a missing resource',
      only: ['users.create'],
      change: on(status(201), (answer) => having('Location', '/users/99999', answer)),
    },
    { sentence: 'a new resource gets 200', only: ['users.create'], change: on(status(201), (answer) => saying(200, answer)) },
    {
      sentence: 'a new resource is not what was sent',
      only: ['users.create'],
      change: on(both(status(200), asked('GET', oneUser)), (answer) => json(answer, (user) => ({ ...user, name: user.name.slice(0, 3) }))),
    },
    { sentence: 'PUT does nothing', only: ['users.replace'], change: undone() },
    {
      sentence: 'the same PUT again is refused',
      only: ['users.replace'],
      change: on(both(status(204), asked('PUT', oneUser)), onceOnly()),
    },
    { sentence: 'DELETE does nothing', only: ['products.remove'], change: kept() },
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
      sentence: 'If-None-Match is ignored',
      only: ['users.item'],
      change: on(status(304), (_, __, again) => again({ headers: { 'if-none-match': undefined } })),
    },
    { sentence: '304 without ETag', only: ['users.item'], change: on(status(304), (answer) => without('ETag', answer)) },
    {
      sentence: 'If-Match is ignored',
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
      sentence: 'Link is not valid',
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
