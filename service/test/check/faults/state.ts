/** Faults in stored data: changes, conditions, pages. */
import {
  both,
  type Change,
  type Faults,
  having,
  json,
  on,
  oneUser,
  plain,
  requested,
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
  return async (response, { method, target }, again) => {
    if (method === 'GET' && response.status === 200) before.set(target, response)
    const there = before.get(target)
    if (method === 'PUT' && response.status === 204 && there !== undefined) {
      await again({ body: textOf(there), headers: { 'if-match': undefined, 'if-none-match': undefined } })
    }
    return response
  }
}

/** What was removed is there all the same. */
function kept(): Change {
  const before = new Map<string, Whole>()
  return (response, { method, target }) => {
    if (method === 'GET' && response.status === 200) before.set(target, response)
    return response.status === 404 && method === 'GET' ? (before.get(target) ?? response) : response
  }
}

/** The second of two alike is refused. */
function onceOnly(): Change {
  const counts = new Map<string, number>()
  return (response, { target }) => {
    const count = (counts.get(target) ?? 0) + 1
    counts.set(target, count)
    return count % 2 === 0 ? plain(409, '{"type":"about:blank","title":"Conflict","status":409}', 'application/problem+json') : response
  }
}

export const stateFaults: Faults = {
  changes: [
    { sentence: '201 without Location', only: ['users.create'], change: on(status(201), (response) => without('Location', response)) },
    {
      sentence: 'Location leads nowhere',
      only: ['users.create'],
      change: on(status(201), (response) => having('Location', '/userz/1', response)),
    },
    {
      sentence: 'Location leads to a missing resource',
      only: ['users.create'],
      change: on(status(201), (response) => having('Location', '/users/99999', response)),
    },
    { sentence: 'a new resource gets 200', only: ['users.create'], change: on(status(201), (response) => saying(200, response)) },
    {
      sentence: 'a new resource is not what was sent',
      only: ['users.create'],
      change: on(both(status(200), requested('GET', oneUser)), (response) =>
        json(response, (user) => ({ ...user, name: user.name.slice(0, 3) })),
      ),
    },
    { sentence: 'PUT does nothing', only: ['users.replace'], change: undone() },
    {
      sentence: 'the same PUT again is refused',
      only: ['users.replace'],
      change: on(both(status(204), requested('PUT', oneUser)), onceOnly()),
    },
    { sentence: 'DELETE does nothing', only: ['products.remove'], change: kept() },
    {
      sentence: 'a second DELETE is a 500',
      only: ['products.remove'],
      change: on(both(status(404), requested('DELETE', /./)), (response) => saying(500, response)),
    },
  ],
  conditions: [
    { sentence: 'ETag is missing', only: ['users.item'], change: (response) => without('ETag', response) },
    {
      sentence: 'ETag is weak',
      only: ['users.item'],
      change: (response) =>
        valueIn(response, 'ETag') === undefined ? response : having('ETag', `W/${valueIn(response, 'ETag')}`, response),
    },
    {
      sentence: 'If-None-Match is ignored',
      only: ['users.item'],
      change: on(status(304), (_, __, again) => again({ headers: { 'if-none-match': undefined } })),
    },
    { sentence: '304 without ETag', only: ['users.item'], change: on(status(304), (response) => without('ETag', response)) },
    {
      sentence: 'If-Match is ignored',
      only: ['users.item'],
      change: on(both(status(412), requested('GET', /./)), (_, __, again) => again({ headers: { 'if-match': undefined } })),
    },
    {
      sentence: 'an update is lost',
      only: ['users.replace'],
      change: on(both(status(412), requested('PUT', /./)), (_, __, again) => again({ headers: { 'if-match': undefined } })),
    },
  ],
  pages: [
    { sentence: 'Accept-Ranges is missing', only: ['colors'], change: (response) => without('Accept-Ranges', response) },
    {
      sentence: 'each page skips its first item',
      only: ['colors'],
      change: on(both(status(206), requested('GET', /range=/)), (response) => json(response, (items) => items.slice(1))),
    },
    {
      sentence: 'each page repeats its first item',
      only: ['colors'],
      change: on(status(206), (response) => json(response, (items) => [...items.slice(0, 1), ...items])),
    },
    { sentence: 'Total-Count is wrong', only: ['colors'], change: on(status(206), (response) => having('Total-Count', '7', response)) },
    { sentence: 'Next-Range without Link', only: ['colors'], change: on(status(206), (response) => without('Link', response)) },
    {
      sentence: 'Link is not valid',
      only: ['colors'],
      change: on(status(206), (response) =>
        valueIn(response, 'Link') === undefined ? response : having('Link', 'next: /colors', response),
      ),
    },
    {
      sentence: 'Link leads to the same page again',
      only: ['colors'],
      change: on(status(206), (response, { target }) =>
        valueIn(response, 'Link') === undefined || !target.includes('range=')
          ? response
          : having('Link', `<${target}>; rel="next"`, response),
      ),
    },
    {
      sentence: 'a range of another field is a 500',
      only: ['colors'],
      change: on(
        (_, seen) => /^hex/.test(seen.header('range') ?? ''),
        (response) => saying(500, response),
      ),
    },
  ],
}
