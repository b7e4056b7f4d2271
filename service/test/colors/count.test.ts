/** `npm run colors -- load --count N`, on real databases. */

import { colornames } from 'color-name-list'
import { describe, expect, test } from 'vitest'
import { generateColor, toHex } from '../../src/colorSources.ts'
import { colors as firstColors } from '../specification/colors.ts'
import { kind } from '../support/databases/database.ts'
import { service } from '../support/service.ts'
import { all, command } from './command.ts'

const real = colornames.length

test('fills the collection up to a number: existing colors, then real names, then generated ones', async () => {
  const { colors, store, database } = await command()
  const { status, output, errors } = await colors('load', '--count', '40000')
  expect(output).toMatch(/^Added 39,852 colours in \d+\.\d s; there are 40,000 now\.\n$/)
  expect(errors).toMatch(/^(Adding: [0-9,]+ of 40,000 colours\n){1,10}$/)
  expect(status).toBe(0)
  const found = await all(await store())
  expect(found).toHaveLength(40_000)
  const names = new Map(found.map((color) => [color.name, color]))
  expect(names.size).toBe(40_000)
  expect(firstColors.filter(({ name }) => !names.has(name))).toEqual([])
  expect(colornames.filter(({ name, hex }) => names.get(name)?.hex !== hex)).toEqual([])
  const last = generateColor(40_000 - firstColors.length - real - 1)
  expect(names.get(last.name)).toEqual(last)
  expect(found.filter(({ rgb, hex }) => toHex(rgb) !== hex)).toEqual([])
  expect((await colors('count')).output).toBe('40000\n')
  const { pagination, close } = await service({ environment: { DATABASE_URL: database.url } })
  try {
    const response = await fetch(`${pagination}/colors`, { headers: { Range: 'rgb; limit 1' } })
    expect(response.headers.get('Total-Count')).toBe('40000')
  } finally {
    await close()
  }
})

test('a second run adds nothing; a larger number continues', async () => {
  const { colors } = await command()
  expect((await colors('load', '--count', '3000')).output).toMatch(/^Added 2,852 colours in .* there are 3,000 now\.\n$/)
  expect(await colors('load', '--count', '3000')).toEqual({
    status: 0,
    output: 'Nothing to add: there are 3,000 colours already.\n',
    errors: '',
  })
  expect((await colors('load', '--count', '10')).output).toBe('Nothing to add: there are 3,000 colours already.\n')
  expect((await colors('load', '--count', '3001')).output).toMatch(/^Added 1 colour in .* there are 3,001 now\.\n$/)
})

test('deleted colors are replaced by further ones, and an existing name keeps its color', async () => {
  const { colors, database, store } = await command()
  await colors('load', '--count', '9000', '--generated')
  await database.run("DELETE FROM colors WHERE name LIKE '%7' OR name = 'red'")
  await database.run('INSERT INTO colors (name, red, green, blue, hex) VALUES (?, ?, ?, ?, ?)', [
    [generateColor(9500).name, 1, 2, 3, '#010203'],
  ])
  expect((await colors('load', '--count', '12000', '--generated')).status).toBe(0)
  const found = await all(await store())
  expect(new Set(found.map(({ name }) => name)).size).toBe(12_000)
  expect(found.find(({ name }) => name === generateColor(9500).name)?.hex).toBe('#010203')
  expect(found.some(({ name }) => name === 'red')).toBe(false)
})

test.runIf(kind === 'sqlite')('generated names alone', async () => {
  const { colors, store } = await command()
  await colors('load', '--count', '200', '--generated')
  const names = (await all(await store())).map(({ name }) => name)
  const expected = [...firstColors.map(({ name }) => name), ...Array.from({ length: 52 }, (_, index) => generateColor(index).name)]
  expect(names).toEqual(expected.sort())
})

/** A program that begins by this word finds no package of the real names, as in an image for production. */
const without = (): string => {
  const missing = "Object.assign(new Error('missing'), { code: 'ERR_MODULE_NOT_FOUND' })"
  const hooks = `export const resolve = (name, context, next) => { if (name === 'color-name-list') throw ${missing}; return next(name, context) }`
  const url = (source: string): string => `data:text/javascript,${encodeURIComponent(source).replaceAll("'", '%27')}`
  return `--import=${url(`import { register } from 'node:module'; register(${JSON.stringify(url(hooks))})`)}`
}

test.runIf(kind === 'sqlite')('without the package of real names the error names the option to use', async () => {
  const { colors } = await command({ NODE_OPTIONS: without() })
  const { status, errors } = await colors('load', '--count', '200')
  expect({ status, errors }).toEqual({
    status: 1,
    errors:
      'The real names come from the package color-name-list, which is not installed here: it is there for development. Add --generated to load generated names alone.\n',
  })
  expect((await colors('load', '--count', '200', '--generated')).output).toMatch(/^Added 52 colours /)
})

describe.runIf(kind === 'sqlite')('is rejected and changes nothing', () => {
  test.each([
    [['load'], 'error: what to load is missing: --count <n> or --file <file>\n'],
    [['load', '--count', '1', '--file', 'x'], "error: option '--file <file>' cannot be used with option '--count <n>'\n"],
    [['load', '--file', 'x', '--generated'], "error: option '--generated' cannot be used with option '--file <file>'\n"],
    [['load', '--count', '-1'], /^error: option '--count <n>' argument '-1' is invalid\. Expected a whole number from 0 to 100000000\.\n$/],
    [['load', '--count', '1e6'], /^error: option '--count <n>' argument '1e6' is invalid\. Expected a whole number .*\n$/],
    [['load', '--count', '100000001'], /^error: .* Expected a whole number .*\n$/],
    [['load', '--file', '/nowhere/colors.json'], 'Cannot read /nowhere/colors.json: it does not exist.\n'],
    [['load', '--file', '/'], 'Cannot read /: it is a folder.\n'],
    [['count', '--database-url', 'mysql://ann:secret@host/x'], /^DATABASE_URL is "mysql:\/\/…@host\/x": expected sqlite:PATH, .*\.\n$/],
    [['frobnicate'], "error: unknown command 'frobnicate'\n"],
  ])('%j', async (own, message) => {
    const { colors, store } = await command()
    const { status, output, errors } = await colors(...own)
    expect({ status, output }).toEqual({ status: 1, output: '' })
    if (typeof message === 'string') expect(errors).toBe(message)
    else expect(errors).toMatch(message)
    expect(await (await store()).colors.count()).toBe(firstColors.length)
  })
})
