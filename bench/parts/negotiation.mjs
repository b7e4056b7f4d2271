/** From Accept to the media type that is sent. */
import { createNegotiator } from '../../packages/lapidary/dist/http/negotiation.js'

const negotiate = createNegotiator(['application/json;charset=utf-8', 'text/html;charset=utf-8', 'text/csv'])
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
let number = 0

/** @type {readonly import('../parts.mjs').Case[]} */
export const cases = [
  ['anything', () => negotiate('*/*')],
  ['one type', () => negotiate('text/csv')],
  ['what a browser sends', () => negotiate(browser)],
  [
    'a new value each time',
    () => {
      number += 1
      return negotiate(`${browser};v=${number}`)
    },
  ],
]
