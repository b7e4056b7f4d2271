/** URLs that lead somewhere, nearly somewhere, and nowhere. */
import fc from 'fast-check'
import type { AnyEndpoint } from 'lapidary'
import { link } from 'lapidary/links'
import { inputsOf } from './inputs.ts'

const words = [
  'points',
  'colours',
  'newest',
  'people',
  'search',
  'days',
  'files',
  'raw',
  'kernel',
  'ff8800',
  '2024-02-29',
  '1',
  '-0',
  '01',
  '',
  '..',
]
const wandered = fc.array(fc.constantFrom(...words), { maxLength: 4 }).map((segments) => `/${segments.join('/')}`)

const signs = fc.constantFrom(
  '%',
  '%2F',
  '%25',
  '%C3',
  '%c3%a4',
  '%61',
  '/',
  '//',
  '/..',
  '%2e',
  '+',
  '&',
  '=',
  '?',
  '#',
  '\\',
  ' ',
  'ä',
  '\t',
  '0',
)

type Change = (text: string, at: number) => string

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.constant<Change>((text, at) => text.slice(0, at) + text.slice(at + 1)),
  fc.constant<Change>((text, at) => text.slice(0, at + 1) + text.slice(at)),
  signs.map(
    (sign): Change =>
      (text, at) =>
        text.slice(0, at) + sign + text.slice(at),
  ),
)

/** Links to these endpoints, and paths of their words; as they are, or with a few signs too many or too few. */
export function urls(endpoints: readonly AnyEndpoint[]): fc.Arbitrary<string> {
  const links = fc.oneof(...endpoints.map((endpoint) => inputsOf(endpoint).map((input) => link(endpoint, input))))
  const changes = fc.array(fc.tuple(change, fc.nat()), { maxLength: 3 })
  return fc
    .tuple(fc.oneof({ weight: 3, arbitrary: links }, { weight: 1, arbitrary: wandered }), changes)
    .map(([url, all]) => all.reduce((changed, [apply, at]) => `/${apply(changed.slice(1), at % changed.length)}`, url))
}
