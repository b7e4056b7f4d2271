/** The rows of a new database, written from the specification. */

export const isaac = { name: 'Isaac Newton', age: 372, email: 'isaac@newton.co.uk', registration_date: '1683-03-01' }
export const albert = { name: 'Albert Einstein', age: 136, email: 'ae@mc2.org', registration_date: '1905-12-01' }
export const marie = { name: 'Marie Curie', age: 159, email: 'marie@curie.fr', registration_date: '1903-12-10' }
export const users = [isaac, albert, marie]

export const persons = [
  { firstName: 'Isaac', lastName: 'Newton' },
  { firstName: 'Albert', lastName: 'Einstein' },
]

export const products = [{ productId: 1 }, { productId: 2 }, { productId: 3 }]

/** A user that is not stored yet. */
export const ann = { name: 'Ann', age: 26, email: 'ann@example.org', registration_date: '2024-02-29' }

export const client = { clientName: 'Alp', clientEmail: 'alp@foo.com', clientAge: 26, clientInterestedIn: ['haskell', 'mathematics'] }

export const email = {
  from: 'great@company.com',
  to: 'alp@foo.com',
  subject: 'Hey Alp, we miss you!',
  body: "Hi Alp,\n\nSince you've recently turned 26, have you checked out our latest haskell, mathematics products? Give us a visit!",
}

/** Every path of the deployment `main` and what it allows, GET first where it may be got. Captures are filled in. */
export const allowed: readonly (readonly [path: string, allow: string])[] = [
  ['/users', 'GET, HEAD, POST, OPTIONS'],
  ['/users/1', 'GET, HEAD, PUT, DELETE, OPTIONS'],
  ['/users/list-all', 'GET, HEAD, OPTIONS'],
  ['/list-all/users', 'GET, HEAD, OPTIONS'],
  ['/user/1', 'GET, HEAD, DELETE, OPTIONS'],
  ['/isaac', 'GET, HEAD, OPTIONS'],
  ['/albert', 'GET, HEAD, OPTIONS'],
  ['/position/3/14', 'GET, HEAD, OPTIONS'],
  ['/hello', 'GET, HEAD, OPTIONS'],
  ['/marketing', 'POST, OPTIONS'],
  ['/persons', 'GET, HEAD, OPTIONS'],
  ['/myfile.txt', 'GET, HEAD, OPTIONS'],
  ['/userStream', 'GET, HEAD, OPTIONS'],
  ['/products', 'GET, HEAD, POST, OPTIONS'],
  ['/products/1', 'GET, HEAD, PUT, DELETE, OPTIONS'],
  ['/secret', 'GET, HEAD, POST, OPTIONS'],
  ['/headers/int', 'GET, HEAD, OPTIONS'],
  ['/headers/both', 'GET, HEAD, OPTIONS'],
  ['/headers/maybe/true', 'GET, HEAD, OPTIONS'],
  ['/colors', 'GET, HEAD, OPTIONS'],
  ['/echo/json', 'POST, OPTIONS'],
  ['/echo/text', 'POST, OPTIONS'],
  ['/echo/form', 'POST, OPTIONS'],
  ['/echo/bytes', 'POST, OPTIONS'],
  ['/echo/query', 'GET, HEAD, OPTIONS'],
  ['/echo/unavailable', 'GET, HEAD, OPTIONS'],
  ['/health/live', 'GET, HEAD, OPTIONS'],
  ['/health/ready', 'GET, HEAD, OPTIONS'],
  ['/openapi.json', 'GET, HEAD, OPTIONS'],
]
