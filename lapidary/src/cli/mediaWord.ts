/** The short word for a media type, as people say it. */
import { essenceOf } from '../describe/mediaType.ts'
import type { MediumDefinition } from '../describe/medium.ts'

const words: ReadonlyMap<string, string> = new Map([
  ['application/json', 'JSON'],
  ['application/x-ndjson', 'NDJSON'],
  ['application/jsonl', 'NDJSON'],
  ['application/x-www-form-urlencoded', 'form'],
  ['application/octet-stream', 'bytes'],
  ['text/plain', 'text'],
  ['text/html', 'HTML'],
])

/** `JSON` for `application/json;charset=utf-8`; a type that has no short word stands for itself, without its parameters. */
export function mediaWord(type: string): string {
  const essence = essenceOf(type)
  return words.get(essence) ?? essence
}

/** The words for media, each once, in their order. A medium is called by the type that it is sent as. */
export const mediaWords = (media: readonly MediumDefinition<unknown>[]): readonly string[] => [
  ...new Set(media.map(({ types }) => mediaWord(types[0]))),
]
