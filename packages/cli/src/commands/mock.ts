/** `lapidary mock ./src/api.ts --port 8081`: a server of nothing but the description, until it is interrupted. */

import type { Delay } from '@lapidary/testing'
import { type AnyMockOptions, escapeControlsInLine, createMockHandler as mockKernel } from '@lapidary/testing/internal'
import type { Command } from 'commander'
import { listen as listenOnNode, type RunningServer } from 'lapidary/node'
import type { HttpHandler } from 'lapidary/server'
import { adopted, adoptedError } from '../adopted.ts'
import * as usage from '../cliMessages.ts'
import { type ApiOptions, createApiCommand, parseWholeNumber } from '../command.ts'
import { type CliContext, CliError, convertTypeErrors, getErrorReason, type OutputStream, writeChunk } from '../context.ts'
import { findApi } from '../findExports.ts'
import { loadModule } from '../loadModule.ts'

interface MockCommandOptions extends ApiOptions {
  readonly port: string
  readonly host: string
  readonly seed: string
  readonly delay?: string
  readonly unavailable?: string
  readonly cut?: string
}

/** `50-300`, or `100` for exactly that. */
function parseDelay(text: string): Delay {
  const [, least = '', most = least] = /^([0-9]{1,9})(?:-([0-9]{1,9}))?$/.exec(text) ?? []
  if (least === '' || Number(most) < Number(least)) throw new CliError(2, usage.invalidDelay(text))
  return { min: Number(least), max: Number(most) }
}

function parseFraction(name: string, text = '0'): number {
  const number = Number(text)
  if (text.trim() !== '' && number >= 0 && number <= 1) return number
  throw new CliError(2, usage.invalidRate(name, text))
}

const parseMockOptions = ({ seed, delay, unavailable, cut }: MockCommandOptions): AnyMockOptions => ({
  seed: parseWholeNumber('--seed', seed),
  faults: { unavailable: parseFraction('--unavailable', unavailable), cut: parseFraction('--cut', cut) },
  ...(delay === undefined ? {} : { delay: parseDelay(delay) }),
})

/** The same kernel, which writes a line of each request when its answer has ended. */
const logRequests =
  (kernel: HttpHandler, screen: OutputStream): HttpHandler =>
  (incoming) => {
    const { method, target } = incoming
    const began = performance.now()
    incoming.onEnd(({ status, outcome: how }) => {
      const end = how === 'completed' ? '' : ` (${how})`
      // Whoever has closed the screen misses nothing that matters.
      screen.write(`${method} ${escapeControlsInLine(target)} ${status} ${Math.round(performance.now() - began)} ms${end}\n`)
    })
    return kernel(incoming)
  }

/** Listens. @throws Mistake where it cannot. */
async function startListening(kernel: HttpHandler, host: string, port: number): Promise<RunningServer> {
  try {
    return await listenOnNode(kernel, { host, port })
  } catch (error) {
    const isTaken = error instanceof Error && Reflect.get(error, 'code') === 'EADDRINUSE'
    throw new CliError(1, isTaken ? usage.portInUse(host, port) : usage.cannotListen(host, port, getErrorReason(error)), { cause: error })
  }
}

/** Adds the command. */
export function addMockCommand(program: Command, { cwd: folder, output, waitForStop: stopped }: CliContext): void {
  createApiCommand(program, 'mock', 'Serves an API of nothing but its description, until it is interrupted.')
    .option('--port <number>', 'where to listen; 0 is any free one', '8081')
    .option('--host <address>', 'the address to listen at', '127.0.0.1')
    .option('--seed <number>', 'the same seed gives the same answers', '1')
    .option('--delay <least-most>', 'milliseconds that each answer is waited for: 50-300')
    .option('--unavailable <part>', 'the part of the requests that are answered 503: 0.05')
    .option('--cut <part>', 'the part of the answers that are cut off: 0.01')
    .action(async (name: string, options: MockCommandOptions) => {
      const port = parseWholeNumber('--port', options.port, 65_535)
      const settings = parseMockOptions(options)
      // The module may have a copy of this package of its own.
      const api = adopted(findApi(await loadModule(name, folder), options.export))
      const kernel = await convertTypeErrors(1, () => mockKernel(api, { ...settings, mapError: adoptedError } as object))
      const { url, close } = await startListening(output.isTTY === true ? logRequests(kernel, output) : kernel, options.host, port)
      // Whoever reads the line may end this at once.
      const stop = stopped()
      try {
        await writeChunk(output, `listening on ${url} (seed ${settings.seed})\n`)
        await stop
      } finally {
        await close({ drain: 0, grace: 1_000 })
      }
    })
}
