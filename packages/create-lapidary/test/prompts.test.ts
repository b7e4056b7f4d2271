/** The prompts, as someone types into them. */
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { CancelledError, type Choices, type GivenChoices, promptChoices } from '../src/prompts.ts'

const defaults: Choices = { folder: 'my-api', schema: 'zod', host: 'node', extras: [], install: true }
const nothing: GivenChoices = { folder: undefined, schema: undefined, host: undefined, extras: undefined, install: undefined }

const [enter, down, space, leave] = ['\r', '\u001b[B', ' ', '\u0003']

/** Types keys, each list after its question is shown. */
async function type(given: Partial<GivenChoices>, questions: readonly (readonly [question: string, ...keys: string[]])[]) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  let shown = ''
  output.setEncoding('utf8').on('data', (text) => {
    shown += text
    const [question, ...keys] = questions[index] ?? ['nothing']
    if (!shown.includes(question)) return
    index += 1
    shown = ''
    for (const key of keys) setImmediate(() => input.write(key))
  })
  let index = 0
  const choices = await promptChoices({ ...nothing, ...given }, defaults, { input, output })
  expect(index).toBe(questions.length)
  return choices
}

test('enter takes the defaults', async () => {
  const questions = ['Folder', 'Schema library', 'Host', 'Extras', 'Install'].map((question) => [question, enter] as const)
  expect(await type({}, questions)).toEqual(defaults)
})

test('the choices of one that looks around', async () => {
  const choices = await type({}, [
    ['Folder', 'shop', enter],
    ['Schema library', down, enter],
    ['Host', down, enter],
    ['Extras', space, down, down, space, enter],
    ['Install', 'n'],
  ])
  expect(choices).toEqual({ folder: 'shop', schema: 'valibot', host: 'bun', extras: ['page', 'docker'], install: false })
})

test('what is given is not asked for', async () => {
  const given: Choices = { folder: 'shop', schema: 'arktype', host: 'workers', extras: ['page'], install: false }
  expect(await type(given, [])).toEqual(given)
})

test('a worker is asked for a page alone', async () => {
  const given = { folder: 'shop', schema: 'zod', host: 'workers', install: false } as const
  expect(await type(given, [['Extras', space, down, space, enter]])).toMatchObject({ extras: [] })
})

test('one that leaves makes nothing', async () => {
  await expect(type({ folder: 'shop' }, [['Schema library', leave]])).rejects.toThrow(CancelledError)
})
