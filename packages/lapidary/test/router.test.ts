/** The router: the order of declarations never changes an answer, and a literal wins over a capture. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { percentEncode } from '../src/http/percentEncoding.ts'
import { parsePath, type Segment } from '../src/http/route.ts'
import { createRouter, type Router } from '../src/http/router.ts'

const built = (paths: readonly string[]): Router<string> => {
  const routes = createRouter<string>()
  for (const path of paths) routes.getOrInsert(parsePath(path) ?? [], () => path)
  return routes
}

test.each([
  ['/users/list-all', '/users/list-all', []],
  ['/users/:id', '/users/7', ['7']],
  ['/users/:id', '/users/list', ['list']],
  ['/users/:id/items', '/users/list-all/items', ['list-all']],
  ['/:any/:id/:item', '/users/7/9', ['users', '7', '9']],
  ['/', '/', []],
  [undefined, '//', []],
  [undefined, '', []],
  [undefined, '*', []],
  [undefined, 'users/7', []],
  [undefined, '/nobody', []],
])('%j answers %j', (path, target, captures) => {
  const found = built(['/users/:id', '/users/list-all', '/users/:id/items', '/:any/:id/:item', '/']).find(target)
  expect(found?.leaf).toBe(path)
  expect(found?.captures ?? []).toEqual(captures)
})

test('a literal that leads nowhere gives way to a capture', () => {
  const routes = built(['/a/b/c', '/:x/b/d', '/a/:y/e'])
  expect(routes.find('/a/b/c')).toEqual({ leaf: '/a/b/c', captures: [] })
  expect(routes.find('/a/b/d')).toEqual({ leaf: '/:x/b/d', captures: ['a'] })
  expect(routes.find('/a/b/e')).toEqual({ leaf: '/a/:y/e', captures: ['b'] })
  expect(routes.find('/a/b/f')).toBe(undefined)
})

test('captures of one place are one place, whatever their names', () => {
  const routes = built(['/a/:x', '/a/:y/b'])
  expect(routes.find('/a/1')?.leaf).toBe('/a/:x')
  expect(routes.find('/a/1/b')?.leaf).toBe('/a/:y/b')
})

test('the deepest prefix wins, and says how much of the path it takes', () => {
  const routes = built(['/', '/a', '/a/b'])
  expect(routes.findPrefix('/a/b/c')).toEqual({ leaf: '/a/b', length: 4 })
  expect(routes.findPrefix('/%61/c')).toEqual({ leaf: '/a', length: 4 })
  expect(routes.findPrefix('/ab')).toEqual({ leaf: '/', length: 0 })
  expect(built(['/a']).findPrefix('/b')).toBe(undefined)
})

describe('against a naive model', () => {
  /** Some of these words need encoding, and one looks encoded already. */
  const word = fc.constantFrom('a', 'b', 'list-all', 'ä', '%61', 'x+y', '__proto__')
  const segment: fc.Arbitrary<Segment> = fc.oneof(
    { weight: 2, arbitrary: word.map((literal) => ({ literal })) },
    { weight: 1, arbitrary: fc.constantFrom({ capture: 'x' }, { capture: 'y' }) },
  )
  const declarations = fc.uniqueArray(fc.array(segment, { maxLength: 4 }), {
    maxLength: 8,
    selector: (segments) => segments.map((one) => ('literal' in one ? `=${one.literal}` : ':')).join('/'),
  })
  const asked = fc.array(fc.oneof(word, fc.constantFrom('a/b', 'c', ' ')), { maxLength: 5 })

  /** Every route that matches; of two, the one whose first difference is a literal. */
  function expected(routes: readonly (readonly Segment[])[], parts: readonly string[]) {
    const matching = routes.filter(
      (route) => route.length === parts.length && route.every((one, index) => 'capture' in one || one.literal === parts[index]),
    )
    const rank = (route: readonly Segment[]): string => route.map((one) => ('literal' in one ? '0' : '1')).join('')
    const [best] = matching.sort((one, other) => (rank(one) < rank(other) ? -1 : 1))
    if (best === undefined) return undefined
    return { leaf: best, captures: best.flatMap((one, index) => ('capture' in one ? [parts[index]] : [])) }
  }

  test('the router finds what the model finds, in whatever order the routes are declared', () => {
    const shuffled = declarations.chain((routes) =>
      fc.tuple(fc.constant(routes), fc.shuffledSubarray([...routes], { minLength: routes.length })),
    )
    fc.assert(
      fc.property(shuffled, asked, fc.boolean(), fc.boolean(), ([routes, other], parts, slash, encodeAll) => {
        const encoded = (part: string): string =>
          encodeAll
            ? [...new TextEncoder().encode(part)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
            : percentEncode(part)
        const path = `/${parts.map(encoded).join('/')}${slash && parts.length > 0 ? '/' : ''}`
        for (const order of [routes, other]) {
          const found = createRouter<readonly Segment[]>()
          for (const route of order) found.getOrInsert(route, () => route)
          expect(found.find(path)).toEqual(expected(routes, parts))
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('a path is never matched by another spelling than its own percent-encoding', () => {
    const routes = createRouter<string>()
    routes.getOrInsert([{ literal: 'a%62' }], () => 'literal')
    expect(routes.find('/a%2562')?.leaf).toBe('literal')
    expect(routes.find('/a%62')).toBe(undefined)
  })
})
