/** Answers with further headers. */
import { bool, described, endpoint, int, ok, optional, prefix, withHeaders } from 'lapidary'
import { User } from '../schemas.ts'
import { seeds } from '../store/seeds.ts'

const [, albert] = seeds.users

export const headers = prefix('/headers', {
  int: endpoint('GET /int', {
    summary: 'Albert Einstein, with an integer among the headers.',
    response: ok(User, { headers: { 'X-An-Int': int } }),
    examples: { response: withHeaders(albert, { 'X-An-Int': 1797 }) },
  }),
  both: endpoint('GET /both', {
    summary: 'Albert Einstein, with a boolean and an integer among the headers.',
    response: ok(User, { headers: { 'X-A-Bool': bool, 'X-An-Int': int } }),
    examples: { response: withHeaders(albert, { 'X-A-Bool': true, 'X-An-Int': 1797 }) },
  }),
  maybe: endpoint('GET /maybe/:withHeader', {
    summary: 'Albert Einstein, with an integer among the headers or without.',
    params: { withHeader: described(bool, 'whether to send the header', true, false) },
    response: ok(User, { headers: { 'X-An-Int': optional(int) } }),
    examples: { response: withHeaders(albert, { 'X-An-Int': 1797 }) },
  }),
})
