/** Every endpoint of the specification, described once. */
import {
  basic,
  bearer,
  collection,
  content,
  described,
  endpoint,
  form,
  html,
  int,
  json,
  list,
  mount,
  ndjson,
  noContent,
  ok,
  oneOf,
  optional,
  prefix,
  reply,
  text,
  withHeaders,
} from 'lapidary'
import { colors } from './api/colors.ts'
import { echo } from './api/echo.ts'
import { noSuchUser, notReady, tooManyAttempts, unavailable } from './api/errors.ts'
import { headers } from './api/headers.ts'
import { pages } from './api/pages.ts'
import { products } from './api/products.ts'
import { personsPage } from './pages/persons.ts'
import { ClientInfo, Email, FileContent, Health, HelloMessage, Person, Position, Secret, User } from './schemas.ts'
import { seeds } from './store/seeds.ts'

/** Who is somebody: an account and its password. */
export const people = basic<{ readonly name: string }>('people')

/** Who knows the secret token. */
export const secret = bearer<true>('secret')

const position = endpoint('GET /position/:x/:y', {
  summary: 'The position that the path names.',
  params: { x: described(int, 'the horizontal coordinate', 3), y: described(int, 'the vertical coordinate', 14) },
  response: ok(Position),
  examples: { response: { xCoord: 3, yCoord: 14 } },
})

const hello = endpoint('GET /hello', {
  summary: 'A greeting.',
  query: { name: described(optional(text), 'whom to greet', 'Alp', 'Richard', 'Ann') },
  response: ok(HelloMessage),
  examples: { response: { msg: 'Hello, Alp' } },
})

const marketing = endpoint('POST /marketing', {
  summary: 'The marketing email for one client.',
  body: content(ClientInfo, json, form),
  response: ok(Email),
  examples: {
    body: { clientName: 'Alp', clientEmail: 'alp@foo.com', clientAge: 26, clientInterestedIn: ['haskell', 'mathematics'] },
    response: {
      from: 'great@company.com',
      to: 'alp@foo.com',
      subject: 'Hey Alp, we miss you!',
      body: "Hi Alp,\n\nSince you've recently turned 26, have you checked out our latest haskell, mathematics products? Give us a visit!",
    },
  },
})

const [isaac, albert] = seeds.users

/** The same list at two paths, behind the same door. */
const allUsers = {
  summary: 'All users, for people with an account.',
  auth: people,
  response: ok(list(User)),
  errors: [tooManyAttempts, unavailable],
  examples: { response: seeds.users },
}

const users = prefix('/users', {
  ...collection(User, { param: 'userid', one: 'user', all: 'users', errors: [unavailable], etag: 'optional' }),
  list: endpoint('GET /', {
    summary: 'All users.',
    query: { sortby: described(optional(oneOf('age', 'name')), 'what to order by, ascending; by identifier without it') },
    response: ok(list(User), { headers: { 'User-Count': described(int, 'How many users there are.') } }),
    errors: [unavailable],
    examples: { response: withHeaders(seeds.users, { 'User-Count': seeds.users.length }) },
  }),
  listAll: endpoint('GET /list-all', allUsers),
})

const oneUser = { params: { userid: described(int, 'The identifier of the user.', 1) }, errors: [noSuchUser, unavailable] }
const user = prefix('/user', {
  item: endpoint('GET /:userid', { ...oneUser, summary: 'One user.', response: ok(User), etag: true, examples: { response: isaac } }),
  remove: endpoint('DELETE /:userid', { ...oneUser, summary: 'Removes a user.', response: noContent, etag: 'optional' }),
})

const persons = endpoint('GET /persons', {
  summary: 'All persons, as JSON or as an HTML table.',
  response: ok(content(list(Person), json, html(personsPage))),
  // A table needs nothing else, whatever the names of the persons are.
  responseHeaders: { 'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'" },
  errors: [unavailable],
  examples: { response: seeds.persons },
})

const file = endpoint('GET /myfile.txt', {
  summary: 'The text of a file.',
  response: ok(FileContent),
  errors: [reply(404, text, { description: 'There is no such file. The text says what to do about it.' })],
  examples: { response: { content: 'The text of the file.\n' } },
})

const secrets = prefix('/secret', {
  list: endpoint('GET /', { summary: 'The secret data.', auth: secret, response: ok(list(Secret)), errors: [unavailable] }),
  add: endpoint('POST /', { summary: 'Adds secret data.', auth: secret, body: Secret, response: noContent, errors: [unavailable] }),
})

const health = prefix('/health', {
  live: endpoint('GET /live', { summary: 'Whether the process is up.', response: ok(Health), examples: { response: { status: 'up' } } }),
  ready: endpoint('GET /ready', {
    summary: 'Whether requests can be answered.',
    response: ok(Health),
    errors: [notReady],
    examples: { response: { status: 'ready' } },
  }),
})

/** The deployment `main`: everything. */
export const main = {
  position,
  hello,
  marketing,
  users,
  user,
  isaac: endpoint('GET /isaac', { summary: 'Isaac Newton.', response: ok(User), examples: { response: isaac } }),
  albert: endpoint('GET /albert', { summary: 'Albert Einstein.', response: ok(User), examples: { response: albert } }),
  listAll: endpoint('GET /list-all/users', allUsers),
  stream: endpoint('GET /userStream', {
    summary: 'Three users, one a line.',
    // Old clients ask for JSON here, and read lines.
    response: ok(ndjson(User, { aliases: ['application/json;charset=utf-8'] })),
    examples: { response: seeds.users },
  }),
  products,
  persons,
  file,
  static: mount('/static', {
    description:
      'The files of the folder `static-files`, by any method: whole, in part (`Range`, 206 or 416) or on conditions (`If-None-Match` and its like, 304 or 412). What is not there is 404. Pages load what is served beside them alone (`Content-Security-Policy`).',
  }),
  headers,
  secrets,
  echo,
  colors,
  health,
  openapi: endpoint('GET /openapi.json', { summary: 'Every endpoint, described for machines (OpenAPI 3.1).', response: ok(json) }),
  pages,
  empty: prefix('/empty', {}),
}

/** The deployment `pagination`: the colours. */
export const pagination = { colors, health }

/** The deployment `docs`: three endpoints, and their documentation for everything else. */
export const docs = { position, hello, marketing }
