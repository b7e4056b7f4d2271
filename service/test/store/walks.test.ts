/** Walks through the colors of a database: each once, for all names, pages and directions, alone and with parallel writes. */

import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { changingLaw, type Subject, seed, stillLaw } from '../../../packages/lapidary/test/support/paginationModel.ts'
import { samples } from '../../../packages/lapidary/test/support/samples.ts'
import { type Color, colorRanges } from '../../src/api/colors.ts'
import type { ColorField } from '../../src/store/store.ts'

import type { Session } from '../support/databases/database.ts'
import { databaseOfTest, openedAt } from './scratch.ts'

const runs = samples(500)

/** Names that a header, a URL, SQL or a sort for people would make something else of. */
const parts = [
  'a',
  'A',
  'b',
  'é',
  'e\u0301',
  ';',
  '..',
  '"',
  "'",
  '\r\n',
  '%',
  '%41',
  '+',
  '&',
  '<',
  '>',
  ',',
  ' ',
  '\uffee',
  '\uffff',
  '😀',
  '-- ',
  '\\',
]
const name = fc.string({ unit: fc.constantFrom(...parts), minLength: 1, maxLength: 2 })
const component = fc.constantFrom(0, 1, 255)
const hex = fc.constantFrom('#000000', '#00ff00', '#0000ff')
const item: fc.Arbitrary<Color> = fc.record({ name, rgb: fc.tuple(component, component, component), hex })

const row = ({ name: of, rgb, hex: as }: Color): readonly (string | number)[] => [of, ...rgb, as]

/** Colours in a database, which another writer changes while it is read. */
async function subject(): Promise<Subject<Color, ColorField>> {
  const database = await databaseOfTest()
  const { colors } = await openedAt(database.url)
  const session: Session = await database.session()
  onTestFinished(session.close)
  const insert = 'INSERT INTO colors (name, red, green, blue, hex) VALUES (?, ?, ?, ?, ?)'
  return {
    ranges: colorRanges,
    fields: {
      name: { get: (color) => color.name },
      hex: { get: (color) => color.hex },
      rgb: { get: ({ rgb: [red, green, blue] }) => red + green + blue },
    },
    key: (color) => color.name,
    item,
    moved: (color, to) => ({ ...to, name: color.name }),
    values: { name, hex, rgb: fc.integer({ min: -1, max: 766 }) },
    filled: async (all) => {
      await session.run('DELETE FROM colors')
      await colors.add(all)
      return {
        source: colors,
        insert: (color) => session.run(insert, [row(color)]),
        remove: (color) => session.run('DELETE FROM colors WHERE name = ?', [[color.name]]),
        update: (color) =>
          session.run('UPDATE colors SET red = ?, green = ?, blue = ?, hex = ? WHERE name = ?', [[...color.rgb, color.hex, color.name]]),
      }
    },
  }
}

test(`on an unchanged collection each color comes once, by any mixture of Next-Range and Link, and in reverse (seed ${seed})`, async () => {
  await fc.assert(stillLaw(await subject()), { numRuns: runs, seed })
})

test(`by Link each unchanged color comes once while others are added, removed and changed (seed ${seed})`, async () => {
  await fc.assert(changingLaw(await subject()), { numRuns: runs, seed })
})

test('the largest page has the configured size, for any requested limit', async () => {
  const { filled } = await subject()
  const { source } = await filled(Array.from({ length: 30 }, (_, at): Color => ({ name: `${at}`, rgb: [at, at, at], hex: '#000000' })))
  const input = { headers: { Range: 'name; limit 9007199254740991' }, query: { range: undefined } }
  const { body, headers } = await colorRanges.page(input, source, { maxLimit: 20 })
  expect([body.length, headers['Next-Range']]).toEqual([20, 'name 18; offset 0; limit 20; order desc'])
})
