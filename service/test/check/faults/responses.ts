/** Faults in responses, errors included. */
import { both, type Faults, having, json, lies, on, oneUser, plain, requested, saying, status, textOf, without } from './change.ts'

export const responseFaults: Faults = {
  responses: [
    { sentence: 'Vary is missing', only: ['persons'], change: (response) => without('Vary', response) },
    {
      sentence: 'a request for HTML gets JSON',
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
      change: on(both(status(200), requested('GET', oneUser)), (response) => json(response, ({ email: _, ...user }) => user)),
    },
    {
      sentence: 'a number is sent as a text',
      only: ['users.item'],
      change: on(both(status(200), requested('GET', oneUser)), (response) => json(response, (user) => ({ ...user, age: `${user.age}` }))),
    },
    {
      sentence: 'an undeclared member leaks',
      only: ['users.item'],
      change: on(both(status(200), requested('GET', oneUser)), (response) => json(response, (user) => ({ ...user, hash: 'secret' }))),
    },
    {
      sentence: 'a member leaks in a list',
      only: ['products.list'],
      change: on(status(200), (response) => json(response, (items) => items.map((item: object) => ({ ...item, price: 1 })))),
    },
    {
      sentence: 'a date is not valid',
      only: ['users.item'],
      change: on(both(status(200), requested('GET', oneUser)), (response) =>
        json(response, (user) => ({ ...user, registration_date: '2023-02-30' })),
      ),
    },
    {
      sentence: 'one object in place of a list',
      only: ['products.list'],
      change: on(status(200), (response) => json(response, ([first]) => first)),
    },
    {
      sentence: 'a declared header is missing',
      only: ['users.list'],
      change: on(status(200), (response) => without('User-Count', response)),
    },
    {
      sentence: 'a declared header is no number',
      only: ['users.list'],
      change: on(status(200), (response) => having('User-Count', 'three', response)),
    },
    { sentence: 'success has another status', only: ['hello'], change: on(status(200), (response) => saying(203, response)) },
    {
      sentence: 'one order of a list fails',
      only: ['users.list'],
      change: on(requested('GET', /sortby=age/), () =>
        plain(500, '{"type":"about:blank","title":"Internal Server Error","status":500}', 'application/problem+json'),
      ),
    },
    {
      sentence: 'a stream ends within a line',
      only: ['stream'],
      change: on(status(200), (response) => ({ ...response, body: textOf(response).slice(0, -8) })),
    },
    {
      sentence: 'a line of a stream is no JSON',
      only: ['stream'],
      change: on(status(200), (response) => ({ ...response, body: `${textOf(response)}{\n` })),
    },
    {
      sentence: 'a header that every answer has is missing',
      only: ['pages.start'],
      change: (response) => without('Content-Security-Policy', response),
    },
    {
      sentence: 'an answer takes longer than is allowed',
      only: ['hello'],
      options: { requests: 40, time: 50 },
      change: on(requested('GET', /name=/), (response) => new Promise((resolve) => setTimeout(resolve, 80, response))),
    },
    {
      sentence: 'an answer is larger than is allowed',
      only: ['echo.query'],
      change: on(status(200), (response) => ({ ...response, body: `${textOf(response)}${' '.repeat(200_000)}` })),
    },
  ],
  errors: [
    { sentence: 'problem details are called JSON', only: ['position'], change: on(status(400), lies('application/json')) },
    {
      sentence: 'problem details say another status',
      only: ['position'],
      change: on(status(400), (response) => json(response, (problem) => ({ ...problem, status: 500 }))),
    },
    {
      sentence: 'a refusal is a page of HTML',
      only: ['position'],
      change: on(status(400), () => plain(400, '<h1>Bad Request</h1>', 'text/html')),
    },
    {
      sentence: 'a refusal shows a stack',
      only: ['position'],
      change: on(status(400), (response) =>
        json(response, (problem) => ({ ...problem, stack: 'Error\n    at read (/srv/app/src/read.js:12:3)' })),
      ),
    },
    {
      sentence: 'Retry-After is neither seconds nor a date',
      only: ['echo.unavailable'],
      change: on(status(503), (response) => having('Retry-After', 'soon', response)),
    },
    {
      sentence: 'a missing resource is null',
      only: ['users.item'],
      change: on(both(status(404), requested('GET', oneUser)), () => plain(200, 'null')),
    },
  ],
}
