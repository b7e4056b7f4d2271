/** The short word for a media type, as people say it. */
import { getEssence } from '../describe/mediaType.ts'
import type { MediaTypeDefinition } from '../describe/medium.ts'

const mediaTypeLabels: ReadonlyMap<string, string> = new Map([
  ['application/json', 'JSON'],
  ['application/x-ndjson', 'NDJSON'],
  ['application/jsonl', 'NDJSON'],
  ['application/x-www-form-urlencoded', 'form'],
  ['application/octet-stream', 'bytes'],
  ['text/plain', 'text'],
  ['text/html', 'HTML'],
])

/** `JSON` for `application/json;charset=utf-8`; a type that has no short word stands for itself, without its parameters. */
export function labelMediaType(type: string): string {
  const essence = getEssence(type)
  return mediaTypeLabels.get(essence) ?? essence
}

/** The words for media, each once, in their order. A medium is called by the type that it is sent as. */
export const labelMediaTypes = (media: readonly MediaTypeDefinition<unknown>[]): readonly string[] => [
  ...new Set(media.map(({ types }) => labelMediaType(types[0]))),
]
