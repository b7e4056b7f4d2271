/** `lapidary mock ./src/api.ts --port 8081`: serves an API from its description, until it is interrupted. */
import { type Delay, type MockOptions, mock } from '@lapidary/testing'
import { escapeControlsInLine } from '@lapidary/testing/internal'
import type { Command } from 'commander'
import { prefix } from 'lapidary'
import { listen, type RunningServer } from 'lapidary/node'
import type { HttpHandler } from 'lapidary/server'
import * as messages from '../cliMessages.ts'
import { type ApiOptions, createApiCommand, parseWholeNumber } from '../command.ts'
import { type CliContext, CliError, convertTypeErrors, getErrorReason, type OutputStream, writeChunk } from '../context.ts'
import { loadDescription } from '../description.ts'
import { getBasePath } from '../documentServer.ts'

interface MockCommandOptions extends ApiOptions {
  readonly port: string
  readonly host: string
  readonly seed: string
  readonly delay?: string
  readonly unavailable?: string
  readonly cut?: string
}

/** Parses `50-300`, or `100` for exactly that. @throws CliError */
function parseDelay(text: string): Delay {
  const [, min = '', max = min] = /^([0-9]{1,9})(?:-([0-9]{1,9}))?$/.exec(text) ?? []
  if (min === '' || Number(max) < Number(min)) throw new CliError(2, messages.invalidDelay(text))
  return { min: Number(min), max: Number(max) }
}

/** Parses a share of the requests. @throws CliError */
function parseFraction(name: string, text = '0'): number {
  const number = Number(text)
  if (text.trim() !== '' && number >= 0 && number <= 1) return number
  throw new CliError(2, messages.invalidRate(name, text))
}

const parseMockOptions = ({ seed, delay, unavailable, cut }: MockCommandOptions): MockOptions => ({
  seed: parseWholeNumber('--seed', seed),
  faults: { unavailable: parseFraction('--unavailable', unavailable), cut: parseFraction('--cut', cut) },
  ...(delay === undefined ? {} : { delay: parseDelay(delay) }),
})

/** Writes a line for each request when its response has ended. */
const logRequests =
  (handler: HttpHandler, output: OutputStream): HttpHandler =>
  (request) => {
    const { method, target } = request
    const startTime = performance.now()
    request.onEnd(({ status, outcome }) => {
      const note = outcome === 'completed' ? '' : ` (${outcome})`
      const milliseconds = Math.round(performance.now() - startTime)
      output.write(`${method} ${escapeControlsInLine(target)} ${status} ${milliseconds} ms${note}\n`)
    })
    return handler(request)
  }

/** Listens. @throws CliError if the port is in use or cannot be opened */
async function startListening(handler: HttpHandler, host: string, port: number): Promise<RunningServer> {
  try {
    return await listen(handler, { host, port })
  } catch (error) {
    const isInUse = error instanceof Error && Reflect.get(error, 'code') === 'EADDRINUSE'
    const message = isInUse ? messages.portInUse(host, port) : messages.cannotListen(host, port, getErrorReason(error))
    throw new CliError(1, message, { cause: error })
  }
}

/** Adds the command. */
export function addMockCommand(program: Command, context: CliContext): void {
  const { output, waitForStop } = context
  createApiCommand(program, 'mock', 'Serves an API from its description alone, until it is interrupted.')
    .option('--port <number>', 'the port to listen on; 0 for any free port', '8081')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--seed <number>', 'the same seed gives the same responses', '1')
    .option('--delay <min-max>', 'how long each response is delayed, in milliseconds: 50-300')
    .option('--unavailable <share>', 'the share of requests that get 503: 0.05')
    .option('--cut <share>', 'the share of responses that are cut off: 0.01')
    .action(async (module: string, options: MockCommandOptions) => {
      const port = parseWholeNumber('--port', options.port, 65_535)
      const mockOptions = parseMockOptions(options)
      const description = await loadDescription(module, options.export, context)
      const path = getBasePath(description)
      const api = path === '' ? description.api : await convertTypeErrors(2, () => prefix(path as '/', description.api))
      const handler = await convertTypeErrors(2, () => mock(api, mockOptions))
      const { url, close } = await startListening(output.isTTY === true ? logRequests(handler, output) : handler, options.host, port)
      // A reader of the next line may stop the command at once.
      const stop = waitForStop()
      try {
        await writeChunk(output, `listening on ${url}${path} (seed ${mockOptions.seed})\n`)
        await stop
      } finally {
        await close({ drain: 0, grace: 1_000 })
      }
    })
}
