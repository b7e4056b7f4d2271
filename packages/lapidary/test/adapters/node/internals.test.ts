/** What Node does not document is used in one file of adapters/node and in two of @lapidary/llhttp, each behind a probe. */
import { readdirSync, readFileSync } from 'node:fs'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { getActiveResponse, interceptParser, setActiveResponse } from '../../../src/adapters/node/internals.ts'

const root = fileURLToPath(new URL('../../../../../', import.meta.url))
const folders = ['packages/lapidary/src', 'packages/testing/src', 'packages/cli/src', 'packages/llhttp/src', 'service/src']

/** Names of Node that are not in its documentation. */
const internals =
  /_http_common|HTTPParser|\bkOn[A-Z]\w+|\b_(?:header|headerSent|hasBody|httpMessage|paused|consumed|handle)\b|getCurrentBuffer|internalMessage|newconn/

const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm

test('internals of Node are used in one file of adapters/node, and in @lapidary/llhttp', () => {
  const files = folders.flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  )
  const found = files.filter((file) => internals.test(readFileSync(root + file, 'utf8').replace(comments, ''))).sort()
  expect(found).toEqual([
    'packages/lapidary/src/adapters/node/internals.ts',
    'packages/llhttp/src/parser.ts',
    'packages/llhttp/src/parserProbe.ts',
  ])
})

test('the adapter records the active response of a connection where Node does not', () => {
  const socket = new Socket()
  const response = new ServerResponse(new IncomingMessage(socket))
  expect(getActiveResponse(socket)).toBeUndefined()
  setActiveResponse(socket, response)
  // Its turn has not come.
  expect(getActiveResponse(socket)).toBeUndefined()
  Object.defineProperty(response, 'socket', { value: socket, writable: true })
  expect(getActiveResponse(socket)).toBe(response)
  Object.assign(response, { socket: null })
  expect(getActiveResponse(socket)).toBeUndefined()
})

test('a parser of another kind is not changed', () => {
  const parser = { execute: () => 0 }
  const socket = Object.assign(new Socket(), { parser })
  expect(interceptParser(socket, (result) => result)).toBeUndefined()
  expect(parser).toEqual({ execute: expect.any(Function) })
})
