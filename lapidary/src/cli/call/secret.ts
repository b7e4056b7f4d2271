/** Gets a secret that is not on the command line: from the environment, or asked for without an echo on a terminal. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import * as usage from '../../describe/usage.ts'
import { CliError } from '../mistake.ts'
import { type CliContext, writeChunk } from '../surroundings.ts'

/** @throws Mistake where nothing is answered, or nobody is there to answer. */
async function promptSecret(question: string, { input, errors }: CliContext): Promise<string | undefined> {
  await writeChunk(errors, question)
  // readline echoes what is typed to its output: this one shows nothing.
  const nothing = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: nothing, terminal: true })
  try {
    return await new Promise((answered) => {
      lines.once('line', answered)
      // Ctrl-C or Ctrl-D: closed without a line.
      lines.once('close', () => answered(undefined))
    })
  } finally {
    lines.close()
    await writeChunk(errors, '\n')
  }
}

/** The secret that is called `what`: that of the environment variable, else the one that is typed. @throws Mistake when there is none. */
export async function readSecret(what: string, variable: string, surroundings: CliContext): Promise<string> {
  const known = surroundings.env[variable]
  const found = known ?? (surroundings.input.isTTY ? await promptSecret(`The ${what}: `, surroundings) : undefined)
  if (found === undefined) throw new CliError(2, usage.missingSecret(what, variable))
  return found
}
