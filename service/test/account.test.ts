/** `npm run account`, as its own process. */

import { spawn } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { verifyPassword } from '../src/accounts/password.ts'
import { type Ended, root, run, words } from './store/process.ts'
import { databaseOfTest, folder, openedAt } from './store/scratch.ts'

const program = '../../dist/account.js'

/** The command beside a database of its own. */
async function command(): Promise<{
  readonly url: string
  readonly account: (own: string[], input?: string | Uint8Array) => Promise<Ended>
}> {
  const { url } = await databaseOfTest()
  const env = { ...process.env, DATABASE_URL: url, PORT: 'nonsense' }
  return { url, account: (own, input = '') => run(program, own, input, { env }) }
}

test('accounts are added, listed, changed and removed', async () => {
  const { url, account } = await command()
  expect(await account(['list'])).toEqual({ status: 0, output: '', errors: 'There are no accounts yet.\n' })
  expect(await account(['add', 'ann'], 'correct: horse\n')).toEqual({ status: 0, output: 'Added the account ann.\n', errors: '' })
  expect(await account(['add', 'ann'], 'other\r\n')).toEqual({
    status: 0,
    output: 'The account ann was there already: its password is changed.\n',
    errors: '',
  })
  expect((await account(['add', 'bob'], 'x')).status).toBe(0)
  expect(await account(['list'])).toEqual({ status: 0, output: 'ann\nbob\n', errors: '' })
  const { accounts } = await openedAt(url)
  expect(await verifyPassword('other', (await accounts.find('ann'))?.hash)).toBe(true)
  expect(await account(['remove', 'ann'])).toEqual({ status: 0, output: 'Removed the account ann.\n', errors: '' })
  expect(await account(['remove', 'ann'])).toEqual({ status: 1, output: '', errors: 'There is no account "ann".\n' })
  expect(await accounts.list()).toEqual(['bob'])
})

test('a name has one account, composed or decomposed, and is quoted as it was typed', async () => {
  const { url, account } = await command()
  expect((await account(['add', 'Zoe\u0308'], 'x')).output).toBe('Added the account Zo\u00eb.\n')
  expect((await account(['add', 'Zo\u00eb'], 'y')).output).toContain('was there already')
  const { accounts } = await openedAt(url)
  expect(await accounts.list()).toEqual(['Zo\u00eb'])
  expect(await account(['remove', 'Zoe\u0308'])).toEqual({ status: 0, output: 'Removed the account Zo\u00eb.\n', errors: '' })
  expect((await account(['remove', 'Zoe\u0308'])).errors).toBe('There is no account "Zoe\u0308".\n')
})

test('a byte order mark, which some editors write, is not a part of the password', async () => {
  const { url, account } = await command()
  expect((await account(['add', 'ann'], '\ufeffs3cret\n')).status).toBe(0)
  const { accounts } = await openedAt(url)
  expect(await verifyPassword('s3cret', (await accounts.find('ann'))?.hash)).toBe(true)
})

test.each([
  [['add', 'ann'], Uint8Array.of(0x61, 0xff), 'The password on standard input is not UTF-8.\n'],
  [['add', 'ann'], '', 'The password is empty.\n'],
  [['add', 'ann'], '\n', 'The password is empty.\n'],
  [['add', 'ann'], 'two\nlines\n', 'The password holds a control character, which HTTP cannot send.\n'],
  [['add', 'a:nn'], 'x', 'The name holds a colon, at which HTTP Basic authentication would cut it.\n'],
  [['add', 'a\tnn'], 'x', 'The name holds a control character, which HTTP cannot send.\n'],
  [['add', ''], 'x', 'The name is empty.\n'],
  [['frobnicate'], '', "error: unknown command 'frobnicate'\n"],
  [['add'], '', "error: missing required argument 'name'\n"],
  [['list', '--database-url', 'mysql://ann:secret@host/x'], '', /^DATABASE_URL is "mysql:\/\/…@host\/x": expected sqlite:PATH, .*\.\n$/],
])('the name %j with the password %j on standard input is rejected', async (own, input, message) => {
  const { url, account } = await command()
  const { status, output, errors } = await account(own, input)
  expect({ status, output }).toEqual({ status: 1, output: '' })
  if (typeof message === 'string') expect(errors).toBe(message)
  else expect(errors).toMatch(message)
  expect(await (await openedAt(url)).accounts.list()).toEqual([])
})

test('a database that cannot be opened is reported in one line', async () => {
  const path = folder()
  const { status, errors } = await run(program, ['list', '--database-url', `sqlite:${path}`])
  expect({ status, errors }).toEqual({ status: 1, errors: `Cannot open the database ${path}: it is a folder.\n` })
})

/** Answers each prompt as it comes, on a terminal made by util-linux's `script`, and gives back all that was shown. */
function onTerminal(
  url: string,
  typed: readonly string[],
): Promise<{ readonly status: number | null; readonly shown: string } | undefined> {
  const line = [process.execPath, ...words(program, 'add', 'ann', '--database-url', url)].map((word) => `'${word}'`).join(' ')
  const lines = [...typed]
  let shown = ''
  return new Promise((done) => {
    const child = spawn('script', ['-qec', line, '/dev/null'], { cwd: root })
    onTestFinished(() => void child.kill('SIGKILL'))
    child.once('error', () => done(undefined))
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      shown += text
      if (/(Password for ann|The same again): $/.test(shown)) child.stdin?.write(`${lines.shift()}`)
    })
    child.once('close', (status) => done({ status, shown }))
  })
}

test('a terminal prompts for the password twice and does not show it', async ({ skip }) => {
  const { url } = await databaseOfTest()
  const ended = await onTerminal(url, ['s3cret\r', 's3cret\r'])
  if (ended === undefined) return skip('There is no command "script" to make a terminal with.')
  expect(ended.status).toBe(0)
  expect(ended.shown).toContain('Password for ann: ')
  expect(ended.shown).toContain('Added the account ann.')
  expect(ended.shown).not.toContain('s3cret')
  const { accounts } = await openedAt(url)
  expect(await verifyPassword('s3cret', (await accounts.find('ann'))?.hash)).toBe(true)
})

const controlD = '\u0004'

test.each([[[]], [['s3cret\r']]])('Ctrl-D after the answers %j on a terminal adds no account', async (lines) => {
  const { url } = await databaseOfTest()
  const ended = await onTerminal(url, [...lines, controlD])
  if (ended === undefined) return
  expect(ended.shown).toContain('No password was given.')
  expect(await (await openedAt(url)).accounts.list()).toEqual([])
})

test('two different passwords on a terminal are rejected', async ({ skip }) => {
  const { url } = await databaseOfTest()
  const ended = await onTerminal(url, ['one\r', 'two\r'])
  if (ended === undefined) return skip('There is no command "script" to make a terminal with.')
  expect(ended.shown).toContain('The two passwords are not the same.')
  expect(await (await openedAt(url)).accounts.list()).toEqual([])
})
