/** Faults in responses, errors included. */
import { asked, both, type Faults, having, json, lies, on, oneUser, plain, saying, status, textOf, without } from './change.ts'

export const ofAnswers: Faults = {
  responses: [
    { sentence: 'Vary is missing', only: ['persons'], change: (answer) => without('Vary', answer) },
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
      change: on(both(status(200), asked('GET', oneUser)), (answer) => json(answer, ({ email: _, ...user }) => user)),
    },
    {
      sentence: 'a number is sent as a text',
      only: ['users.item'],
      change: on(both(status(200), asked('GET', oneUser)), (answer) => json(answer, (user) => ({ ...user, age: `${user.age}` }))),
    },
    {
      sentence: 'an undeclared member leaks',
      only: ['users.item'],
      change: on(both(status(200), asked('GET', oneUser)), (answer) => json(answer, (user) => ({ ...user, hash: 'secret' }))),
    },
    {
      sentence: 'a member leaks in a list',
      only: ['products.list'],
      change: on(status(200), (answer) => json(answer, (items) => items.map((item: object) => ({ ...item, price: 1 })))),
    },
    {
      sentence: 'a date is not valid',
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
  errors: [
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
      sentence: 'a missing resource is null',
      only: ['users.item'],
      change: on(both(status(404), asked('GET', oneUser)), () => plain(200, 'null')),
    },
  ],
}
