/** Help, version and usage errors. */
import { expect, test } from 'vitest'
import manifest from '../../lapidary/package.json' with { type: 'json' }
import { lapidary } from './support/runCli.ts'

const module = 'smallApi.ts'

test.each([
  ['lapidary', ['--help']],
  ['routes', ['routes', '--help']],
  ['markdown', ['markdown', '--help']],
  ['openapi', ['openapi', '--help']],
  ['mock', ['mock', '--help']],
  ['call', ['call', '--help']],
  ['check', ['check', '--help']],
  ['manifest', ['manifest', '--help']],
  ['diff', ['diff', '--help']],
  ['import', ['import', '--help']],
  ['migrate', ['migrate', '--help']],
  ['migrate-ts-rest', ['migrate', 'ts-rest', '--help']],
  ['call-search', ['call', module, 'search', '--help']],
  ['call-order', ['call', module, 'order', '-h']],
])('%s --help', async (name, words) => {
  const { code, output, errors } = await lapidary(words)
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  await expect(output).toMatchFileSnapshot(`golden/help-${name}.txt`)
})

test('each form of help prints the same', async () => {
  const [{ output: call }, { output: routes }] = [await lapidary(['call', '--help']), await lapidary(['routes', '--help'])]
  expect((await lapidary(['help', 'call'])).output).toBe(call)
  expect((await lapidary(['call', module, '--help'])).output).toBe(call)
  expect((await lapidary(['help', 'routes'])).output).toBe(routes)
})

test('the version is that of the package', async () => {
  expect(await lapidary(['--version'])).toEqual({ code: 0, output: `${manifest.version}\n`, errors: '' })
})

test('without arguments it prints its help on standard error', async () => {
  const { output: help } = await lapidary(['--help'])
  expect(await lapidary([])).toEqual({ code: 2, output: '', errors: help })
})

test.each([
  [['rotues'], "Unknown command 'rotues'. (Did you mean routes?)"],
  [['routes'], "Missing required argument 'module'."],
  [['routes', module, 'more'], "Too many arguments for 'routes'. Expected 1 argument but got 2."],
  [['routes', module, '--jsn'], "Unknown option '--jsn'. (Did you mean --json?)"],
  [['routes', module, '--export'], "Option '--export <name>' argument missing."],
  [['routes', module, '--export', 'nope'], 'smallApi.ts exports no API named "nope". Its APIs: api.'],
  [['routes', 'nothing.ts'], 'There is no module at nothing.ts. Name the file that exports the API, such as ./src/api.ts.'],
  [['routes', '.'], 'There is no module at .. Name the file that exports the API, such as ./src/api.ts.'],
  [
    ['markdown', module, '--request-examples', 'some'],
    "Option '--request-examples <which>' argument 'some' is invalid. Allowed choices are all, first.",
  ],
  [
    ['openapi', module, '--openapi', '3.1.0'],
    "Option '--openapi <version>' argument '3.1.0' is invalid. Allowed choices are 3.0, 3.1, 3.2.",
  ],
  [['call'], "Missing required argument 'module'."],
  [['call', module], "Missing required argument 'endpoint'."],
])('%j is rejected with one sentence', async (words, sentence) => {
  expect(await lapidary(words)).toEqual({ code: 2, output: '', errors: `${sentence}\n` })
})
