/** Answers with further headers. */
import { withHeaders } from 'lapidary'
import type { Handlers } from 'lapidary/server'
import type { main } from '../api.ts'
import { einstein } from './founders.ts'

const number = 1797

export const headers: Handlers<typeof main>['headers'] = {
  int: () => withHeaders(einstein, { 'X-An-Int': number }),
  both: () => withHeaders(einstein, { 'X-A-Bool': true, 'X-An-Int': number }),
  maybe: ({ params }) => withHeaders(einstein, { 'X-An-Int': params.withHeader ? number : undefined }),
}
