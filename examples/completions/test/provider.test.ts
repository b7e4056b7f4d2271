/** The streams of providers, from a server on this machine that sends them as the providers do. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Model } from '../model.ts'
import { createAnthropicModel, createOpenAiModel, type ProviderOptions } from '../provider.ts'

const formats = {
  OpenAI: {
    create: createOpenAiModel,
    path: '/v1/chat/completions',
    authorization: { authorization: 'Bearer secret' },
    head: 'data: {"id":"1","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}\n\n',
    write: (text: string) => `data: {"id":"1","choices":[{"index":0,"delta":{"content":${JSON.stringify(text)}}}]}\n\n`,
    end: 'data: {"id":"1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: {"id":"1","choices":[],"usage":{}}\n\ndata: [DONE]\n\n',
    failure: 'data: {"error":{"message":"overloaded","type":"server_error"}}\n\n',
  },
  Anthropic: {
    create: createAnthropicModel,
    path: '/v1/messages',
    authorization: { 'x-api-key': 'secret', 'anthropic-version': '2023-06-01' },
    head:
      'event: message_start\r\ndata: {"type":"message_start","message":{"id":"1","content":[]}}\r\n\r\n' +
      'event: content_block_start\r\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\r\n\r\n' +
      'event: ping\r\ndata: {"type":"ping"}\r\n\r\n',
    write: (text: string) =>
      `event: content_block_delta\r\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":${JSON.stringify(text)}}}\r\n\r\n`,
    end:
      'event: content_block_stop\r\ndata: {"type":"content_block_stop","index":0}\r\n\r\n' +
      'event: message_delta\r\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}\r\n\r\n' +
      'event: message_stop\r\ndata: {"type":"message_stop"}\r\n\r\n',
    failure: 'event: error\r\ndata: {"type":"error","error":{"type":"overloaded_error","message":"overloaded"}}\r\n\r\n',
  },
} as const

const rows = Object.entries(formats)

/** A provider that does this with every request. */
async function startProvider(
  create: (options: ProviderOptions) => Model,
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<unknown> | unknown,
): Promise<Model> {
  const server = createServer(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return create({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`, key: 'secret', model: 'gem-1' })
}

const send = async (model: Model, signal = new AbortController().signal): Promise<string[]> => {
  const tokens: string[] = []
  for await (const token of model({ prompt: 'What is an opal?', maxTokens: 7 }, signal)) tokens.push(token)
  return tokens
}

test.each(rows)('%s: the prompt goes there, and the tokens come back, wherever the network cuts them', async (_, format) => {
  let received: unknown
  const model = await startProvider(format.create, async (request, response) => {
    received = [request.url, request.headers, await json(request)]
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    for (const byte of Buffer.from(format.head + format.write('A ') + format.write('stöne') + format.end)) {
      response.write(Buffer.of(byte))
      await turn()
    }
    response.end()
  })
  expect(await send(model)).toEqual(['A ', 'stöne'])
  const body = { model: 'gem-1', max_tokens: 7, stream: true, messages: [{ role: 'user', content: 'What is an opal?' }] }
  expect(received).toEqual([format.path, expect.objectContaining(format.authorization), body])
})

test.each(rows)('%s: the connection is closed when the tokens are not wanted any more', async (_, format) => {
  const connections: ServerResponse[] = []
  const model = await startProvider(format.create, (_request, response) => {
    connections.push(response)
    response.writeHead(200).write(format.head + format.write('A '))
  })
  const controller = new AbortController()
  const request = send(model, controller.signal).catch((error: unknown) => error)
  await expect.poll(() => connections.length).toBe(1)
  controller.abort()
  expect(await request).toMatchObject({ name: 'AbortError' })
  await expect.poll(() => connections.map(({ closed }) => closed)).toEqual([true])

  // The same for a loop that ends in the middle.
  for await (const _token of model({ prompt: 'Again?', maxTokens: 7 }, new AbortController().signal)) break
  await expect.poll(() => connections.map(({ closed }) => closed)).toEqual([true, true])
})

test.each(rows)('%s: what goes wrong is an error, and never the end of a text', async (_, format) => {
  const failures = [
    { status: 429, text: '{"error":{"message":"slow down"}}', message: 'The provider answers 429: {"error":{"message":"slow down"}}' },
    { status: 200, text: format.write('A ') + format.failure, message: 'The provider reports an error: overloaded' },
    { status: 200, text: format.write('A '), message: 'The provider has closed the connection in the middle.' },
  ]
  for (const { status, text, message } of failures) {
    const model = await startProvider(format.create, (_request, response) => response.writeHead(status).end(text))
    await expect(send(model)).rejects.toThrow(message)
  }
})
