/** The program `lapidary`, which bin/lapidary.js starts. */
import { writeSync } from 'node:fs'
import process from 'node:process'
import * as messages from './cliMessages.ts'
import { runCli } from './run.ts'

const { stdin: input, stdout: output, stderr: errors, env } = process

// The callback of a write reports its error. Without a listener, the error would end the process with a stack trace.
for (const stream of [output, errors]) stream.on('error', () => {})

/** The first signal stops the command, a second one ends the process. */
const waitForStop = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })

let hasResult = false
// A module that ends the process with 0 would pass for a command that found nothing wrong.
process.on('exit', () => {
  if (hasResult) return
  writeSync(errors.fd, `${messages.endedWithoutResult()}\n`)
  process.exitCode = 2
})

const exitCode = await runCli(process.argv.slice(2), { input, output, errors, cwd: process.cwd(), env, waitForStop }).finally(() => {
  hasResult = true
})
await Promise.all([output, errors].map((stream) => new Promise((resolve) => stream.write('', resolve))))
// The module may have opened something that would keep this process alive: a server, a database.
process.exit(exitCode)
