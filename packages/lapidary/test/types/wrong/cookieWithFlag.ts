/** A cookie without a value. */
import { endpoint, flag, noContent } from 'lapidary'

export const visit = endpoint('GET /visits', { cookies: { loud: flag }, response: noContent })
