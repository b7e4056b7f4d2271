/** The texts that stand for a parameter: those that its codec reads, and those that it refuses. */
import * as fc from 'fast-check'
import { isParseError, type ParameterInput, ParseError } from 'lapidary'
import { type AnyParameter, isHeaderValue } from 'lapidary/internal'
import { createArbitrary } from './values.ts'

/** Where a parameter stands. Not every text can stand everywhere: a capture is never empty, a header has no line breaks. */
export type ParameterPlace = 'capture' | 'query' | 'header'

/** The texts under one name; none: the name is left out. */
export type ParameterTexts = readonly string[]

const toGivenTexts = (texts: ParameterTexts): ParameterInput => ({ values: texts, isPresent: texts.length > 0 })

const isAllowedText: Readonly<Record<ParameterPlace, (text: string) => boolean>> = {
  // One of dots alone is a step in a path, for every client there is.
  capture: (text) => text !== '' && !/^\.+$/.test(text) && text.isWellFormed(),
  query: (text) => text.isWellFormed(),
  header: (text) => text !== '' && isHeaderValue(text) && text.trim() === text && !text.includes(','),
}

const readTexts = (parameter: AnyParameter, texts: ParameterTexts): unknown => {
  try {
    return parameter.read(toGivenTexts(texts))
  } catch (error) {
    return new ParseError([{ pointer: '', detail: String(error) }])
  }
}

/** What a value of its JSON Schema is as text. Codecs with spellings of their own have patterns and examples. */
const toParameterText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
const toParameterTexts = (value: unknown): ParameterTexts => (Array.isArray(value) ? value.map(toParameterText) : [toParameterText(value)])

/** Texts that the codec reads, its examples among them; none where it may be left out. */
export function generateParameterTexts(parameter: AnyParameter, place: ParameterPlace): fc.Arbitrary<ParameterTexts> | undefined {
  const isSound = (texts: ParameterTexts): boolean => texts.every(isAllowedText[place]) && !isParseError(readTexts(parameter, texts))
  const examples = (parameter.repeats ? [parameter.examples] : parameter.examples.map((one): ParameterTexts => [one])).filter(isSound)
  const values = createArbitrary(parameter.jsonSchema)?.map(toParameterTexts)
  const isMade = values !== undefined && fc.sample(values, { numRuns: 50, seed: 1 }).some(isSound)
  const all = [
    ...(isMade ? [{ arbitrary: values.filter(isSound), weight: 3 }] : []),
    ...(examples.length > 0 ? [{ arbitrary: fc.constantFrom(...examples), weight: 2 }] : []),
    ...(parameter.required ? [] : [{ arbitrary: fc.constant<ParameterTexts>([]), weight: 2 }]),
  ]
  return all.length === 0 ? undefined : fc.oneof(...all)
}

/** What people and machines send by mistake. */
const oddTexts: readonly string[] = [
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
export function listInvalidTexts(parameter: AnyParameter, place: ParameterPlace): readonly ParameterTexts[] {
  const [example] = parameter.examples
  const twice: readonly ParameterTexts[] = example === undefined || place === 'capture' ? [] : [[example, example]]
  const missing: readonly ParameterTexts[] = parameter.required && place !== 'capture' ? [[]] : []
  return [...oddTexts.map((text): ParameterTexts => [text]), ...twice, ...missing].filter(
    (texts) => texts.every(isAllowedText[place]) && isParseError(readTexts(parameter, texts)),
  )
}
