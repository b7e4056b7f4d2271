/** The endpoints that return users. */
import { basic, bool, collection, endpoint, int, list, ndjson, noContent, ok, oneOf, optional, prefix, withHeaders } from 'lapidary'
import { noSuchUser, tooManyAttempts, unavailable } from './errors.ts'
import { User } from './schemas.ts'

/** The three users of the specification, in the order of their identifiers. */
export const founders: readonly [isaac: User, albert: User, marie: User] = [
  { name: 'Isaac Newton', age: 372, email: 'isaac@newton.co.uk', registration_date: '1683-03-01' },
  { name: 'Albert Einstein', age: 136, email: 'ae@mc2.org', registration_date: '1905-12-01' },
  { name: 'Marie Curie', age: 159, email: 'marie@curie.fr', registration_date: '1903-12-10' },
]

export const [isaacNewton, albertEinstein] = founders

/** An account and its password. */
export const people = basic<{ readonly name: string }>('people')

/** The protected list, which the specification has at two paths. */
const allUsers = {
  summary: 'All users, for people with an account.',
  auth: people,
  response: ok(list(User)),
  errors: [tooManyAttempts, unavailable],
  examples: { response: founders },
}

export const listAll = endpoint('GET /list-all/users', allUsers)

export const users = prefix('/users', {
  ...collection(User, { param: 'userid', one: 'user', all: 'users', errors: [unavailable], etag: 'optional' }),
  list: endpoint('GET /', {
    summary: 'All users.',
    query: { sortby: optional(oneOf('age', 'name'), { description: 'what to order by, ascending; by identifier without it' }) },
    response: ok(list(User), { headers: { 'User-Count': int({ description: 'How many users there are.' }) } }),
    errors: [unavailable],
    examples: { response: withHeaders(founders, { 'User-Count': founders.length }) },
  }),
  listAll: endpoint('GET /list-all', allUsers),
})

const oneUser = {
  params: { userid: int({ description: 'The identifier of the user.', examples: [1] }) },
  errors: [noSuchUser, unavailable],
}
export const user = prefix('/user', {
  item: endpoint('GET /:userid', { ...oneUser, summary: 'One user.', response: ok(User), etag: true, examples: { response: isaacNewton } }),
  remove: endpoint('DELETE /:userid', { ...oneUser, summary: 'Removes a user.', response: noContent, etag: 'optional' }),
})

export const isaac = endpoint('GET /isaac', { summary: 'Isaac Newton.', response: ok(User), examples: { response: isaacNewton } })
export const albert = endpoint('GET /albert', { summary: 'Albert Einstein.', response: ok(User), examples: { response: albertEinstein } })

export const stream = endpoint('GET /userStream', {
  summary: 'Three users, one a line.',
  // Old clients ask for JSON and read lines.
  response: ok(ndjson(User, { aliases: ['application/json;charset=utf-8'] })),
  examples: { response: founders },
})

/** Users with additional response headers. */
export const headers = prefix('/headers', {
  int: endpoint('GET /int', {
    summary: 'Albert Einstein, with an integer among the headers.',
    response: ok(User, { headers: { 'X-An-Int': int } }),
    examples: { response: withHeaders(albertEinstein, { 'X-An-Int': 1797 }) },
  }),
  both: endpoint('GET /both', {
    summary: 'Albert Einstein, with a boolean and an integer among the headers.',
    response: ok(User, { headers: { 'X-A-Bool': bool, 'X-An-Int': int } }),
    examples: { response: withHeaders(albertEinstein, { 'X-A-Bool': true, 'X-An-Int': 1797 }) },
  }),
  maybe: endpoint('GET /maybe/:withHeader', {
    summary: 'Albert Einstein, with an integer among the headers or without.',
    params: { withHeader: bool({ description: 'whether to send the header', examples: [true, false] }) },
    response: ok(User, { headers: { 'X-An-Int': optional(int) } }),
    examples: { response: withHeaders(albertEinstein, { 'X-An-Int': 1797 }) },
  }),
})
