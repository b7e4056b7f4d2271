/**
 * The place for a real model: the streams of Anthropic, of OpenAI, and of the many servers that speak as OpenAI does (vLLM, Ollama, llama.cpp).
 * Both are server-sent events with an end of their own; a stream without it was cut off.
 */
import type { Model } from './model.ts'

export interface ProviderOptions {
  /** Such as `https://api.anthropic.com/v1` or `http://127.0.0.1:11434/v1`. */
  readonly url: string
  readonly key: string
  /** The name of the model. */
  readonly model: string
}

/** What an event says: the text of a token, that it was the last, or what went wrong. */
interface ProviderEvent {
  readonly text?: string | null | undefined
  readonly isLast?: boolean
  readonly error?: string | undefined
}

/** The data of each event. An event ends with an empty line, wherever the network cuts it. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    rest += decoder.decode(value, { stream: true })
    const blocks = rest.split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const lines = block.split(/\r?\n/).filter((line) => line.startsWith('data:'))
      if (lines.length > 0) yield lines.map((line) => line.slice(5).trim()).join('\n')
    }
  }
}

/** Sends a request, and yields the tokens of its stream. `signal`, and the end of the loop, close the connection, at which providers stop as well. */
async function* stream(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: object,
  signal: AbortSignal,
  read: (data: string) => ProviderEvent,
): AsyncGenerator<string, void, undefined> {
  const controller = new AbortController()
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.any([signal, controller.signal]),
  })
  try {
    if (!response.ok || response.body === null) throw new Error(`The provider answers ${response.status}: ${await response.text()}`)
    for await (const data of readEvents(response.body)) {
      const { text, isLast, error } = read(data)
      if (error !== undefined) throw new Error(`The provider reports an error: ${error}`)
      if (isLast) return
      if (text) yield text
    }
    throw new Error('The provider has closed the connection in the middle.')
  } finally {
    controller.abort()
  }
}

const createMessages = (prompt: string) => [{ role: 'user', content: prompt }]

export const createOpenAiModel =
  ({ url, key, model }: ProviderOptions): Model =>
  ({ prompt, maxTokens }, signal) => {
    const body = { model, max_tokens: maxTokens, messages: createMessages(prompt), stream: true }
    return stream(`${url}/chat/completions`, { Authorization: `Bearer ${key}` }, body, signal, (data) => {
      if (data === '[DONE]') return { isLast: true }
      const { choices, error } = JSON.parse(data)
      return { text: choices?.[0]?.delta?.content, error: error?.message }
    })
  }

export const createAnthropicModel =
  ({ url, key, model }: ProviderOptions): Model =>
  ({ prompt, maxTokens }, signal) => {
    const body = { model, max_tokens: maxTokens, messages: createMessages(prompt), stream: true }
    return stream(`${url}/messages`, { 'X-Api-Key': key, 'Anthropic-Version': '2023-06-01' }, body, signal, (data) => {
      const { type, delta, error } = JSON.parse(data)
      return { text: delta?.text, isLast: type === 'message_stop', error: error?.message }
    })
  }
