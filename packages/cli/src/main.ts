/** The program `lapidary`, which bin/lapidary.js starts. */
import process from 'node:process'
import { runCli } from './run.ts'

const { stdin: input, stdout: output, stderr: errors, env } = process

// The callback of a write reports its error. Without a listener, the error would end the process with a stack trace.
for (const stream of [output, errors]) stream.on('error', () => {})

/** The first signal stops the command, a second one ends the process. */
const waitForStop = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })

const exitCode = await runCli(process.argv.slice(2), { input, output, errors, cwd: process.cwd(), env, waitForStop })
await Promise.all([output, errors].map((stream) => new Promise((resolve) => stream.write('', resolve))))
// The module may have opened something that would keep this process alive: a server, a database.
process.exit(exitCode)
