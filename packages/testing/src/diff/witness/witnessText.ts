/** Values of a witness as text: parameters, and bodies in a media type. */
import { getEssence, isJsonObject, parseSchema } from 'lapidary/internal'
import type { ContentManifest, ParameterManifest } from '../manifest.ts'
import { parseBodySchema } from '../sharedDefinitions.ts'
import { isTextValid } from '../textValues.ts'
import { type FoundValue, findCommonValue } from './witnessValues.ts'

/** The texts of a value of a parameter. */
export const toTexts = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).map((one: unknown) => (typeof one === 'object' ? JSON.stringify(one) : String(one)))

/** Texts of a parameter that both descriptions allow if there are some; undefined where none is found. */
export function findTexts(own: ParameterManifest, other: ParameterManifest | undefined): readonly string[] | undefined {
  if (own.codec === 'flag') return ['']
  const [node, reader] = [own, other].map((parameter) => parameter && parseSchema(parameter.schema))
  const found = node && findCommonValue(node, reader)
  if (found === undefined) return undefined
  const texts = toTexts(found.value)
  // An empty text is none in a path or a header.
  return texts.length > 0 && texts.every((text) => text !== '') ? texts : isTextValid(parseSchema(own.schema), 'a') ? ['a'] : undefined
}

/** A body with its media type. */
export interface WrittenBody {
  readonly type: string
  readonly body: string
}

const isJson = (essence: string): boolean => /[/+]json$/.test(essence)
const isJsonLines = (essence: string): boolean => /[/+](?:x-ndjson|jsonl|ndjson)$/.test(essence)

/** Writes a value in a media type; undefined in one that is not written here, such as files. */
function writeValue(type: string, value: unknown): string | undefined {
  const essence = getEssence(type)
  if (isJson(essence)) return JSON.stringify(value)
  if (isJsonLines(essence)) return `${JSON.stringify(value)}\n`
  if (essence === 'application/x-www-form-urlencoded' && isJsonObject(value))
    return new URLSearchParams(
      Object.entries(value).flatMap(([name, one]) => toTexts(one).map((text): [string, string] => [name, text])),
    ).toString()
  return typeof value === 'string' && !essence.startsWith('multipart/') ? value : undefined
}

/** A longer body shows nothing to a reader. */
const maxWitnessBody = 8_000

/** Writes a value in the first media type that can have it; in one that the reader has too, if there is one. */
export function writeWitnessBody(
  content: ContentManifest,
  reader: ContentManifest | null | undefined,
  { value }: FoundValue,
): WrittenBody | undefined {
  const types = content.media.flatMap((media) => media.types)
  const known = new Set(reader?.media.flatMap((media) => media.types.map(getEssence)))
  const ordered = [...types.filter((type) => known.has(getEssence(type))), ...types]
  for (const type of ordered) {
    const body = writeValue(type, value)
    if (body !== undefined) return body.length > maxWitnessBody ? undefined : { type, body }
  }
  return undefined
}

/** Finds a body that both descriptions allow if there is one. */
export function findBody(content: ContentManifest, reader: ContentManifest | null | undefined): WrittenBody | undefined {
  if (content.schema === null) return writeWitnessBody(content, reader, { value: {} }) ?? writeWitnessBody(content, reader, { value: 'a' })
  const found = findCommonValue(parseBodySchema(content.schema), reader?.schema ? parseBodySchema(reader.schema) : undefined)
  return found && writeWitnessBody(content, reader, found)
}
