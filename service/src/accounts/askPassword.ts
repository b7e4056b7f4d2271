/** Gets a new password from whoever runs the command: asked for without echo on a terminal, else read from standard input. */

import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** A failure whose message is a sentence for whoever runs the command. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

/** Asks on standard error, so that standard output stays free for what the command answers. */
function ask(question: string): Promise<string> {
  // readline echoes what is typed to its output: this one shows nothing.
  const nothing = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nothing, terminal: true })
  process.stderr.write(question)
  return new Promise((answer, refuse) => {
    lines.once('line', (line) => {
      answer(line)
      lines.close()
    })
    // Ctrl-C, Ctrl-D: closed without a line. After a line the promise is settled, and this does nothing.
    lines.once('close', () => {
      process.stderr.write('\n')
      refuse(new Refused('No password was given.'))
    })
  })
}

async function typed(name: string): Promise<string> {
  const first = await ask(`Password for ${name}: `)
  if (first !== (await ask('The same again: '))) throw new Refused('The two passwords are not the same.')
  return first
}

/** All of standard input; the line end that `echo` and editors add is not part of the password. */
async function piped(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)).replace(/\r?\n$/, '')
  } catch {
    throw new Refused('The password on standard input is not UTF-8.')
  }
}

/** The password for the account `name`. Throws `Refused`. */
export const askPassword = (name: string): Promise<string> => (process.stdin.isTTY ? typed(name) : piped())
