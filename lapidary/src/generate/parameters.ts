/** The texts that stand for a parameter: those that its codec reads, and those that it refuses. */
import * as fc from 'fast-check'
import { isHeaderText } from '../describe/headerField.ts'
import type { AnyParameter, Given } from '../describe/parameter.ts'
import { Refusal } from '../describe/refusal.ts'
import { valuesOf } from './values.ts'

/** Where a parameter stands. Not every text can stand everywhere: a capture is never empty, a header has no line breaks. */
export type Place = 'capture' | 'query' | 'header'

/** The texts under one name; none: the name is left out. */
export type Texts = readonly string[]

const given = (texts: Texts): Given => ({ texts, named: texts.length > 0 })

const canStand: Readonly<Record<Place, (text: string) => boolean>> = {
  // One of dots alone is a step in a path, for every client there is.
  capture: (text) => text !== '' && !/^\.+$/.test(text) && text.isWellFormed(),
  query: (text) => text.isWellFormed(),
  header: (text) => text !== '' && isHeaderText(text) && text.trim() === text && !text.includes(','),
}

const read = (parameter: AnyParameter, texts: Texts): unknown => {
  try {
    return parameter.read(given(texts))
  } catch (error) {
    return new Refusal([{ pointer: '', detail: String(error) }])
  }
}

/** What a value of its JSON Schema is as text. Codecs with spellings of their own have patterns and examples. */
const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
const spelled = (value: unknown): Texts => (Array.isArray(value) ? value.map(textOf) : [textOf(value)])

/** Texts that the codec reads, its examples among them; none where it may be left out. */
export function textsFor(parameter: AnyParameter, place: Place): fc.Arbitrary<Texts> | undefined {
  const isSound = (texts: Texts): boolean => texts.every(canStand[place]) && !(read(parameter, texts) instanceof Refusal)
  const examples = (parameter.repeats ? [parameter.examples] : parameter.examples.map((one): Texts => [one])).filter(isSound)
  const values = valuesOf(parameter.jsonSchema)?.map(spelled)
  const isMade = values !== undefined && fc.sample(values, { numRuns: 50, seed: 1 }).some(isSound)
  const all = [
    ...(isMade ? [{ arbitrary: values.filter(isSound), weight: 3 }] : []),
    ...(examples.length > 0 ? [{ arbitrary: fc.constantFrom(...examples), weight: 2 }] : []),
    ...(parameter.required ? [] : [{ arbitrary: fc.constant<Texts>([]), weight: 2 }]),
  ]
  return all.length === 0 ? undefined : fc.oneof(...all)
}

/** What people and machines send by mistake. */
const odd: readonly string[] = [
  '',
  'x',
  '-',
  '+1',
  '1.5',
  '1e3',
  ' 1',
  '0x1',
  '99999999999999999999',
  '2023-02-29',
  'null',
  'true?',
  '\u00e9',
  '%',
  "'",
  '\ud7ff',
]

/** Texts that the codec refuses, with why; none where it takes everything. */
export function refusedTextsFor(parameter: AnyParameter, place: Place): readonly Texts[] {
  const [example] = parameter.examples
  const twice: readonly Texts[] = example === undefined || place === 'capture' ? [] : [[example, example]]
  const missing: readonly Texts[] = parameter.required && place !== 'capture' ? [[]] : []
  return [...odd.map((text): Texts => [text]), ...twice, ...missing].filter(
    (texts) => texts.every(canStand[place]) && read(parameter, texts) instanceof Refusal,
  )
}
