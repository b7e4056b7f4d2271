/** From the text behind `?` to the values of the parameters. */
import { array, int, optional, text } from 'lapidary'
import { createQueryReader } from '../../packages/lapidary/dist/contract/parameters/readers.js'

const none = createQueryReader({})
const one = createQueryReader({ name: optional(text) })
const four = createQueryReader({ name: text, limit: optional(int), tag: array(text), since: optional(text) })

/** @type {readonly import('../parts.mjs').Case[]} */
export const cases = [
  ['none declared, none given', () => none('')],
  ['one parameter', () => one('name=Ann')],
  ['one parameter, escaped', () => one('name=J%C3%B6rg+M%26M')],
  ['four parameters', () => four('name=Ann&limit=10&tag=a&tag=b&since=2024')],
  ['four among others', () => four('a=1&name=Ann&b=2&limit=10&c=3&tag=a&d=4&since=2024')],
  ['beside it: URLSearchParams, one', () => new URLSearchParams('name=Ann').get('name')],
]
