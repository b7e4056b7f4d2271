/** A date is a Date: a text would leave its time zone open. */
import { endpoint, noContent } from 'lapidary'

export const hello = endpoint('GET /hello', { response: noContent, deprecated: { sunset: '2027-01-01' } })
