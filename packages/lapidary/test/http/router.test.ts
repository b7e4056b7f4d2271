/** The router: the order of declarations never changes a match; a literal takes precedence over a capture, and that over a rest. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { percentEncode } from '../../src/http/percentEncoding.ts'
import { getPathShape, parsePath, type Segment } from '../../src/http/route.ts'
import { createRouter, type Router } from '../../src/http/router.ts'
import { cpuTime } from '../support/cpuTime.ts'
import { samples } from '../support/samples.ts'

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
  [undefined, 'xusers/7', []],
  [undefined, '/nobody', []],
])('%j matches %j', (path, target, captures) => {
  const found = built(['/users/:id', '/users/list-all', '/users/:id/items', '/:any/:id/:item', '/']).find(target)
  expect(found?.leaf).toBe(path)
  expect(found?.captures ?? []).toEqual(captures)
})

test('a capture matches where a literal leads to no route', () => {
  const routes = built(['/a/b/c', '/:x/b/d', '/a/:y/e'])
  expect(routes.find('/a/b/c')).toEqual({ leaf: '/a/b/c', captures: [] })
  expect(routes.find('/a/b/d')).toEqual({ leaf: '/:x/b/d', captures: ['a'] })
  expect(routes.find('/a/b/e')).toEqual({ leaf: '/a/:y/e', captures: ['b'] })
  expect(routes.find('/a/b/f')).toBe(undefined)
})

test('a path of two segments is not one with the same letters', () => {
  const routes = built(['/a/b'])
  expect(routes.find('/a/b')?.leaf).toBe('/a/b')
  expect(routes.find('/ab')).toBe(undefined)
})

test('captures at the same position are one, even with different names', () => {
  const routes = built(['/a/:x', '/a/:y/b'])
  expect(routes.find('/a/1')?.leaf).toBe('/a/:x')
  expect(routes.find('/a/1/b')?.leaf).toBe('/a/:y/b')
})

test.each([
  ['/files/*path', '/files/a', ['a']],
  ['/files/*path', '/files/a/b%20c/%C3%A4', ['a/b c/ä']],
  ['/files/*path', '/files/a/', ['a']],
  ['/files/*path', '/files/...', ['...']],
  [undefined, '/files', []],
  [undefined, '/files/', []],
  [undefined, '/files/a//b', []],
  [undefined, '/files//', []],
  // It matches, and its reader refuses the text.
  ['/files/*path', '/files/a%2Fb', [undefined]],
  ['/files/*path', '/files/a/..', [undefined]],
  ['/files/*path', '/files/%2e/b', [undefined]],
  ['/files/:id/info', '/files/own/info', ['own']],
  ['/files/*path', '/files/own/other', ['own/other']],
  ['/files/new', '/files/new', []],
  ['/files/*path', '/files/new/a', ['new/a']],
  ['/files/:id/info', '/files/new/info', ['new']],
])('with a rest, %j matches %j', (path, target, captures) => {
  const found = built(['/files/*path', '/files/new', '/files/:id/info', '/files/new/old']).find(target)
  expect(found?.leaf).toBe(path)
  expect(found?.captures ?? []).toEqual(captures)
})

test.each(['/users', '/users/'])('a route with a slash at its end matches with and without it: %s', (target) => {
  expect(built(['/users/', '/:any/']).find(target)?.leaf).toBe('/users/')
  expect(built(['/users', '/:any/']).find('/7')?.leaf).toBe('/:any/')
})

test('a path of a million characters is matched in linear time', () => {
  const routes = built(['/*rest', '/:a/*rest', '/:a/:b/*rest', '/:a/:b/c', '/a/*rest'])
  for (const segments of ['/a'.repeat(500_000), `${'/a'.repeat(500_000)}/%2F`, `${'/a'.repeat(500_000)}//`, '/%61'.repeat(250_000)]) {
    expect(cpuTime(() => void routes.find(segments), 1)).toBeLessThan(1_000)
  }
})

test('the longest prefix matches, with its length', () => {
  const routes = built(['/', '/a', '/a/b'])
  expect(routes.findPrefix('/a/b/c')).toEqual({ leaf: '/a/b', length: 4 })
  expect(routes.findPrefix('/%61/c')).toEqual({ leaf: '/a', length: 4 })
  expect(routes.findPrefix('/ab')).toEqual({ leaf: '/', length: 0 })
  expect(routes.findPrefix('/x/a/b')).toEqual({ leaf: '/', length: 0 })
  expect(built(['/a']).findPrefix('/b')).toBe(undefined)
})

describe('compared with a naive model', () => {
  /** Some of these words need encoding, and one looks encoded already. */
  const word = fc.constantFrom('a', 'b', 'list-all', 'ä', '%61', 'x+y', '__proto__')
  const segment: fc.Arbitrary<Segment> = fc.oneof(
    { weight: 2, arbitrary: word.map((literal) => ({ literal })) },
    { weight: 1, arbitrary: fc.constantFrom({ capture: 'x' }, { capture: 'y' }) },
  )
  const route = fc
    .tuple(fc.array(segment, { maxLength: 4 }), fc.nat(3))
    .map(([segments, kind]): readonly Segment[] => (kind === 0 ? [...segments, { capture: 'z', rest: true }] : segments))
  const declarations = fc.uniqueArray(route, { maxLength: 8, selector: getPathShape })
  const requestPath = fc.array(fc.oneof(word, fc.constantFrom('a/b', 'c', ' ', '.', '..', '...')), { maxLength: 6 })

  const isRest = (one: Segment | undefined): boolean => one !== undefined && 'capture' in one && one.rest === true
  const isMatching = (route: readonly Segment[], parts: readonly string[]): boolean =>
    (isRest(route.at(-1)) ? route.length <= parts.length : route.length === parts.length) &&
    route.every((one, index) => 'capture' in one || one.literal === parts[index])
  const restOf = (parts: readonly string[]): string | undefined =>
    parts.some((part) => part === '.' || part === '..' || part.includes('/')) ? undefined : parts.join('/')

  /** Every route that matches; of two, the one whose first difference is a literal, or else a capture of one segment. */
  function expected(routes: readonly (readonly Segment[])[], parts: readonly string[]) {
    const matching = routes.filter((route) => isMatching(route, parts))
    const rank = (route: readonly Segment[]): string => route.map((one) => ('literal' in one ? '0' : one.rest ? '2' : '1')).join('')
    const [best] = matching.sort((one, other) => (rank(one) < rank(other) ? -1 : 1))
    if (best === undefined) return undefined
    return {
      leaf: best,
      captures: best.flatMap((one, index) => ('literal' in one ? [] : [one.rest ? restOf(parts.slice(index)) : parts[index]])),
    }
  }

  test('the router finds what the model finds, in any order of declaration', () => {
    const shuffled = declarations.chain((routes) =>
      fc.tuple(fc.constant(routes), fc.shuffledSubarray([...routes], { minLength: routes.length })),
    )
    fc.assert(
      fc.property(shuffled, requestPath, fc.boolean(), fc.boolean(), ([routes, other], parts, slash, encodeAll) => {
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
      { numRuns: samples(2_000) },
    )
  })

  test('the path of a request is percent-decoded, the path of a route is not', () => {
    const routes = createRouter<string>()
    routes.getOrInsert([{ literal: 'a%62' }], () => 'literal')
    expect(routes.find('/a%2562')?.leaf).toBe('literal')
    expect(routes.find('/a%62')).toBe(undefined)
  })
})
