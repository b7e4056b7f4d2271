/** A cookie that takes many values. */
import { array, endpoint, int, noContent } from 'lapidary'

export const visit = endpoint('GET /visits', { cookies: { visits: array(int) }, response: noContent })
