/** `npm run colors -- load --file FILE`, on real databases. */

import { truncateSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { generateColor } from '../../src/colorSources.ts'
import { colors as firstColors } from '../specification/colors.ts'
import { all, command } from './command.ts'

const teal = { name: 'My Teal', rgb: [0, 128, 128], hex: '#008080' }
const sand = { name: 'Sand 🏖', rgb: [194, 178, 128], hex: '#c2b280' }

const array = (...items: unknown[]): string => JSON.stringify(items)
const lines = (...items: unknown[]): string => items.map((item) => `${JSON.stringify(item)}\n`).join('')

test('an array is added; hex is optional and may be upper case, other members are ignored', async () => {
  const { colors, file, store } = await command()
  const path = file('colors.json', `\ufeff${array({ name: teal.name, rgb: teal.rgb, tags: ['cold'] }, { ...sand, hex: '#C2B280' })}`)
  expect(await colors('load', '--file', path)).toEqual({ status: 0, output: 'Added 2 colours, 0 were there already.\n', errors: '' })
  const found = await all(await store())
  expect(found).toHaveLength(firstColors.length + 2)
  expect(found).toEqual(expect.arrayContaining([teal, sand]))
})

test('one color per line is added; empty lines are skipped, and the last needs no line feed', async () => {
  const { colors, file, store } = await command()
  const path = file('colors.ndjson', `\ufeff${JSON.stringify(teal)}\r\n\n  \n${JSON.stringify(sand)}`)
  expect((await colors('load', '--file', path)).output).toBe('Added 2 colours, 0 were there already.\n')
  expect(await all(await store())).toEqual(expect.arrayContaining([teal, sand]))
})

test('colors with existing names are skipped, and the existing ones stay', async () => {
  const { colors, file, store } = await command()
  const path = file('colors.json', array(teal, { name: 'red', rgb: [1, 2, 3] }))
  expect((await colors('load', '--file', path)).output).toBe('Added 1 colour, 1 was there already.\n')
  expect(await colors('load', '--file', path)).toEqual({ status: 0, output: 'Added 0 colours, 2 were there already.\n', errors: '' })
  expect((await all(await store())).find(({ name }) => name === 'red')?.hex).toBe('#ff0000')
})

test('a large file of lines is added completely, in chunks', async () => {
  const { colors, file, store } = await command()
  const many = Array.from({ length: 30_000 }, (_, index) => generateColor(index))
  const { status, output, errors } = await colors('load', '--file', file('colors.ndjson', lines(...many)))
  expect({ status, output }).toEqual({ status: 0, output: 'Added 30,000 colours, 0 were there already.\n' })
  expect(errors).toMatch(/^(Adding: [0-9,]+ of 30,000 colours\n){1,10}$/)
  expect(await (await store()).colors.count()).toBe(30_000 + firstColors.length)
})

const nameFault = '/name: expected a text of 1 to 255 characters without control characters'
const componentFault = 'expected a whole number from 0 to 255'
const hint = 'If it holds one colour a line, name it with .ndjson at its end.'

/** What is wrong with one item, whichever way it is written. */
const faults: readonly (readonly [item: unknown, ...reasons: string[]])[] = [
  ['red', 'expected an object, got "red"'],
  [null, 'expected an object, got null'],
  [[1, 2, 3], 'expected an object, got an array of 3'],
  [{}, `${nameFault}, got nothing`, '/rgb: expected the three components red, green and blue, got nothing'],
  [{ ...teal, name: 7 }, `${nameFault}, got 7`],
  [{ ...teal, name: '' }, `${nameFault}, got ""`],
  [{ ...teal, name: 'a\u0000b' }, `${nameFault}, got "a\\u0000b"`],
  [{ ...teal, name: 'two\nlines' }, `${nameFault}, got "two\\nlines"`],
  [{ ...teal, name: 'half \ud83c' }, `${nameFault}, got "half \\ud83c"`],
  [{ ...teal, name: 'x'.repeat(256) }, `${nameFault}, got "${'x'.repeat(59)}…`],
  [{ ...teal, rgb: [0, 128] }, '/rgb: expected the three components red, green and blue, got an array of 2'],
  [{ ...teal, rgb: [0, 128, 128, 255] }, '/rgb: expected the three components red, green and blue, got an array of 4'],
  [{ ...teal, rgb: { r: 0 } }, '/rgb: expected the three components red, green and blue, got an object'],
  [{ ...teal, rgb: [0, 256, -1] }, `/rgb/1: ${componentFault}, got 256`, `/rgb/2: ${componentFault}, got -1`],
  [{ ...teal, rgb: [0, 1.5, '128'] }, `/rgb/1: ${componentFault}, got 1.5`, `/rgb/2: ${componentFault}, got "128"`],
  [{ ...teal, rgb: [true, null, 0] }, `/rgb/0: ${componentFault}, got true`, `/rgb/1: ${componentFault}, got null`],
  [{ ...teal, hex: '#008081' }, '/hex: expected #008080, as rgb says, got "#008081"'],
  [{ ...teal, hex: 'teal' }, '/hex: expected #008080, as rgb says, got "teal"'],
  [{ ...teal, hex: 128 }, '/hex: expected a text such as #ff7f50, or nothing, got 128'],
]

describe('a file with an invalid item is rejected as a whole, with the place of the item', () => {
  test('every problem of an item', async () => {
    const { colors, file, store } = await command()
    // Not all fit into one error message.
    for (const some of [faults.slice(0, 9), faults.slice(9)]) {
      const items = [sand, ...some.map(([item]) => item)]
      const reasonsAt = (place: string): string =>
        some.flatMap(([, ...reasons], index) => reasons.map((reason) => `  ${place} ${index + 2}: ${reason}\n`)).join('')
      const json = file('colors.json', array(...items))
      const begin = (path: string): string => `${path} cannot be loaded, and nothing was added:\n`
      expect(await colors('load', '--file', json)).toEqual({ status: 1, output: '', errors: begin(json) + reasonsAt('item') })
      const ndjson = file('colors.ndjson', lines(...items))
      expect(await colors('load', '--file', ndjson)).toEqual({ status: 1, output: '', errors: begin(ndjson) + reasonsAt('line') })
    }
    expect(await (await store()).colors.count()).toBe(firstColors.length)
  })

  test.each([
    ['an empty file', 'colors.json', '', `is not JSON: Unexpected end of JSON input. ${hint}\n`],
    ['a comma too many', 'colors.json', `[${JSON.stringify(teal)},]`, /^is not JSON: Unexpected token .*\. If it holds .*\n$/],
    [
      'lines in the place of an array',
      'colors.json',
      lines(teal, sand),
      /^is not JSON: Unexpected .*\. If it holds one colour a line, name it with \.ndjson at its end\.\n$/,
    ],
    ['an object around the array', 'colors.json', JSON.stringify({ colors: [teal] }), `is not an array of colours. ${hint}\n`],
    ['an array in Latin-1', 'colors.json', Buffer.from('["caf\xe9"]', 'latin1'), `is not JSON: it is not UTF-8. ${hint}\n`],
    [
      'a line that ends too soon',
      'colors.ndjson',
      `${lines(teal)}{"name"\n`,
      /^cannot be loaded, and nothing was added:\n {2}line 2: expected JSON: [^\n]+\n$/,
    ],
    [
      'an array in the place of lines',
      'colors.jsonl',
      array(teal),
      'cannot be loaded, and nothing was added:\n  line 1: expected an object, got an array of 1\n',
    ],
    [
      'a line that is not UTF-8',
      'colors.ndjson',
      Buffer.concat([Buffer.from(lines(teal)), Buffer.from([0xff, 0x0a])]),
      'cannot be loaded, and nothing was added:\n  line 2: expected JSON: it is not UTF-8\n',
    ],
    [
      'a long line that is no JSON',
      'colors.ndjson',
      `${lines(teal)}${' '.repeat(70_000)}\n${'x'.repeat(70_000)}`,
      /^cannot be loaded, and nothing was added:\n {2}line 3: expected JSON: [^\n]{1,200}\n$/,
    ],
    [
      'a name that comes twice',
      'colors.ndjson',
      lines(teal, sand, { ...teal, rgb: [1, 1, 1], hex: undefined }),
      'cannot be loaded, and nothing was added:\n  line 3: /name: expected a name that is new in this file, got that of line 1: "My Teal"\n',
    ],
  ])('%s', async (_, name, content, message) => {
    const { colors, file, store } = await command()
    const path = file(name, content)
    const { status, output, errors } = await colors('load', '--file', path)
    expect({ status, output }).toEqual({ status: 1, output: '' })
    expect(errors.startsWith(`${path} `)).toBe(true)
    const rest = errors.slice(path.length + 1)
    if (typeof message === 'string') expect(rest).toBe(message)
    else expect(rest).toMatch(message)
    expect(await (await store()).colors.count()).toBe(firstColors.length)
  })

  test('a file that is too large for the memory', async () => {
    const { colors, file, store } = await command()
    const path = file('colors.ndjson', lines(teal))
    truncateSync(path, 100_000_001)
    const message = `${path} is too large: expected at most 100000000 bytes. Load it in parts.\n`
    expect(await colors('load', '--file', path)).toEqual({ status: 1, output: '', errors: message })
    expect(await (await store()).colors.count()).toBe(firstColors.length)
  })

  test('twenty problems are listed, then the number of further ones', async () => {
    const { colors, file } = await command()
    const path = file('colors.json', array(...Array.from({ length: 143 }, () => 1)))
    const { errors } = await colors('load', '--file', path)
    const lines = errors.split('\n')
    expect(lines.slice(20)).toEqual(['  item 20: expected an object, got 1', '  … and 123 more', ''])
  })
})
