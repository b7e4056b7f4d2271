/** The program behind `npx lapidary`, which bin/lapidary.js starts. */
import process from 'node:process'
import { runCli } from './run.ts'

const { stdin: input, stdout: output, stderr: errors, env: environment } = process

// Whoever writes learns of it by the callback of the write; without a listener it would end the process with a stack.
for (const stream of [output, errors]) stream.on('error', () => {})

/** The second time, either of them ends the process at once. */
const waitForStop = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })

const exitCode = await runCli(process.argv.slice(2), { input, output, errors, cwd: process.cwd(), env: environment, waitForStop })
await Promise.all([output, errors].map((stream) => new Promise((done) => stream.write('', done))))
// The module may have opened something that would keep this process alive: a server, a database.
process.exit(exitCode)
