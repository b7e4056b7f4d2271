/** What the server asks: a model is a function from a prompt to its tokens. */
import { setTimeout } from 'node:timers/promises'
import type { Prompt } from './api.ts'

/** @param signal fires when the client does not want more tokens: the model stops, since each of them costs money */
export type Model = (prompt: Prompt, signal: AbortSignal) => AsyncIterable<string>

const words = `The opal is a stone of water and light, and the light in the stone is the light of the day. A jeweller cuts the stone
with water, and the water takes the heat of the cut. Light that enters the stone is split, and each colour of the day leaves by its own way.
A stone without water is a stone without colour, and a day without light is the night of the jeweller.`.split(/\s+/)

/** Which words follow a word. */
const followers = new Map<string, string[]>()
for (const [index, word] of words.entries()) {
  const next = words[index + 1] ?? 'The'
  followers.set(word, [...(followers.get(word) ?? []), next])
}

/** Numbers that depend on the text alone. */
function createRandom(seed: string): () => number {
  let state = 2_166_136_261
  const step = (value: number): void => {
    state = Math.imul(state ^ value, 16_777_619) >>> 0
  }
  for (const character of seed) step(character.codePointAt(0) ?? 0)
  return () => {
    step(state >>> 15)
    return state / 2 ** 32
  }
}

/**
 * Stands for a language model, without an account and without a network: it writes the same sentences for the same prompt.
 *
 * @param delay between two tokens, in milliseconds
 */
export const createLocalModel = (delay: number): Model =>
  async function* ({ prompt, maxTokens }, signal) {
    const random = createRandom(prompt)
    let word = 'The'
    for (let count = 1; count <= maxTokens; count += 1) {
      await setTimeout(delay, undefined, { signal })
      yield count === 1 ? word : ` ${word}`
      if (count >= 40 && word.endsWith('.')) return
      const next = followers.get(word) ?? words
      word = next[Math.floor(random() * next.length)] ?? 'The'
    }
  }
