/** Every endpoint of the specification, described once. */
import {
  basic,
  bearer,
  bool,
  collection,
  content,
  described,
  endpoint,
  flag,
  form,
  html,
  int,
  json,
  lines,
  list,
  many,
  mount,
  noContent,
  octets,
  ok,
  oneOf,
  optional,
  reply,
  text,
  under,
} from 'lapidary'
import { ranges } from 'lapidary/ranges'
import { personsPage } from './pages/persons.ts'
import {
  ClientInfo,
  Color,
  Email,
  FileContent,
  Health,
  HelloMessage,
  Pairs,
  Person,
  Position,
  Product,
  QueryEcho,
  Secret,
  User,
} from './schemas.ts'

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

/** The ranges of the colours. `rgb` is the sum of the three components. */
export const colorRanges = ranges(
  Color,
  {
    name: { codec: text, of: (color) => color.name },
    hex: { codec: text, of: (color) => color.hex },
    rgb: { codec: int, of: (color) => color.rgb.reduce((sum, component) => sum + component, 0) },
  },
  { key: (color) => color.name, default: 'name', options: { rgb: { limit: 5 } } },
)

const colors = endpoint('GET /colors', { summary: 'Colours, a page at a time.', ...colorRanges.declaration })

const users = under('/users', {
  ...collection(User, { one: 'user', all: 'users' }),
  list: endpoint('GET /', {
    summary: 'All users.',
    query: { sortby: described(optional(oneOf('age', 'name')), 'what to order by, ascending; by identifier without it') },
    response: ok(list(User), { headers: { 'User-Count': int } }),
  }),
  listAll: endpoint('GET /list-all', { summary: 'All users, for people with an account.', auth: people, response: ok(list(User)) }),
})

const user = under('/user', {
  item: endpoint('GET /:userid', { summary: 'One user.', params: { userid: int }, response: ok(User), errors: [reply(404)] }),
  remove: endpoint('DELETE /:userid', { summary: 'Removes a user.', params: { userid: int }, response: noContent, errors: [reply(404)] }),
})

const products = under('/products', {
  ...collection(Product, { one: 'product', all: 'products' }),
})

const persons = endpoint('GET /persons', {
  summary: 'All persons, as JSON or as an HTML table.',
  response: ok(content(list(Person), json, html(personsPage))),
})

const file = endpoint('GET /myfile.txt', {
  summary: 'The text of a file.',
  response: ok(FileContent),
  errors: [reply(404, text)],
})

const headers = under('/headers', {
  int: endpoint('GET /int', { response: ok(User, { headers: { 'X-An-Int': int } }) }),
  both: endpoint('GET /both', { response: ok(User, { headers: { 'X-A-Bool': bool, 'X-An-Int': int } }) }),
  maybe: endpoint('GET /maybe/:withHeader', {
    params: { withHeader: described(bool, 'whether to send the header') },
    response: ok(User, { headers: { 'X-An-Int': optional(int) } }),
  }),
})

const secrets = under('/secret', {
  list: endpoint('GET /', { summary: 'The secret data.', auth: secret, response: ok(list(Secret)) }),
  add: endpoint('POST /', { summary: 'Adds secret data.', auth: secret, body: Secret, response: noContent }),
})

const echo = under('/echo', {
  json: endpoint('POST /json', { summary: 'The same JSON value.', body: json, response: ok(json) }),
  text: endpoint('POST /text', { summary: 'The same text.', body: text, response: ok(text) }),
  form: endpoint('POST /form', { summary: 'The pairs of the form.', body: form, response: ok(Pairs) }),
  bytes: endpoint('POST /bytes', { summary: 'The same bytes.', body: octets, response: ok(octets) }),
  query: endpoint('GET /query', { summary: 'The parameters.', query: { tag: many(text), loud: flag }, response: ok(QueryEcho) }),
  unavailable: endpoint('GET /unavailable', { summary: 'Always fails.', response: noContent, errors: [reply(503, text)] }),
})

const health = under('/health', {
  live: endpoint('GET /live', { summary: 'Whether the process is up.', response: ok(Health) }),
  ready: endpoint('GET /ready', { summary: 'Whether requests can be answered.', response: ok(Health), errors: [reply(503)] }),
})

/** The deployment `main`: everything. */
export const main = {
  position,
  hello,
  marketing,
  users,
  user,
  isaac: endpoint('GET /isaac', { summary: 'Isaac Newton.', response: ok(User) }),
  albert: endpoint('GET /albert', { summary: 'Albert Einstein.', response: ok(User) }),
  listAll: endpoint('GET /list-all/users', { summary: 'All users, for people with an account.', auth: people, response: ok(list(User)) }),
  stream: endpoint('GET /userStream', { summary: 'Three users, one a line.', response: ok(lines(User)) }),
  products,
  persons,
  file,
  static: mount('/static', { description: 'The files of the folder `static-files`, by any method.' }),
  headers,
  secrets,
  echo,
  colors,
  health,
  empty: under('/empty', {}),
}

/** The deployment `pagination`: the colours. */
export const pagination = { colors, health }

/** The deployment `docs`: three endpoints, and their documentation for everything else. */
export const docs = { position, hello, marketing }
