/** How every connection to PostgreSQL is set up, for the service and for its migrations alike. */

import { type ClientConfig, types } from 'pg'

const int8 = 20
const date = 1082

/** Integers are within ±(2^53 − 1), and a date is a day, not a moment in some time zone. */
const parsers: NonNullable<ClientConfig['types']> = Object.freeze({
  getTypeParser: ((oid, format) => {
    if (oid === int8) return Number
    if (oid === date) return String
    return types.getTypeParser(oid, format)
  }) as typeof types.getTypeParser, // which has one signature a format
})

/** Days are written as 2024-02-29, however the database would show them to others. */
const iso = '-c datestyle=ISO'
const ownOptions = /([?&]options=)/

/** The settings of a connection to the database at `url`. */
export function connectionSettings(url: string): ClientConfig {
  // The driver lets options in the URL win over others, so ours join them there.
  const joined = url.replace(ownOptions, `$1${encodeURIComponent(`${iso} `)}`)
  return { connectionString: joined, options: iso, types: parsers, application_name: 'lapidary', keepAlive: true }
}
