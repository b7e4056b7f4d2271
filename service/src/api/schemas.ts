/** The records of the specification as the service sends and receives them. */
import { z } from 'zod'

export { Color } from './colors.ts'

/** Stored text. NUL and lone surrogates are refused, because databases treat them differently. */
const storedText = z
  .string()
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'expected text without NUL and without lone surrogates')

/** Stored text with a length in UTF-16 code units. Rows of an older version may be longer: they are sent as they are. */
const boundedText = (maxLength: number) => storedText.max(maxLength, `expected at most ${maxLength} characters`)

/** Text with an index. PostgreSQL limits an index entry to 2,704 bytes. */
const indexedText = boundedText(500)

/** The longest address of RFC 5321 has 320 characters. */
const addressText = boundedText(320)

/** A calendar date. There was no year 0, and PostgreSQL rejects it. */
const calendarDate = z.iso.date().refine((text) => !text.startsWith('0000'), 'expected a calendar date, from 0001-01-01 on')

export const User = z
  .object({ name: indexedText, age: z.int(), email: addressText, registration_date: calendarDate })
  .meta({ examples: [{ name: 'Ada Lovelace', age: 36, email: 'ada@example.org', registration_date: '1833-06-05' }] })
export type User = Readonly<z.infer<typeof User>>

export const Position = z.object({ xCoord: z.int(), yCoord: z.int() })

export const HelloMessage = z.object({ msg: z.string() })

export const ClientInfo = z.object({
  clientName: z.string(),
  clientEmail: z.string(),
  clientAge: z.int(),
  clientInterestedIn: z.array(z.string()),
})

export const Email = z.object({ from: z.string(), to: z.string(), subject: z.string(), body: z.string() })

export const Person = z.object({ firstName: z.string(), lastName: z.string() })
export type Person = Readonly<z.infer<typeof Person>>

export const FileContent = z.object({ content: z.string() })

export const Product = z.object({ productId: z.int(), name: boundedText(500).optional() }).meta({ examples: [{ productId: 1 }] })
export type Product = Readonly<z.infer<typeof Product>>

export const Secret = z.object({ secret: boundedText(500) }).meta({ examples: [{ secret: 'Swordfish.' }] })
export type Secret = Readonly<z.infer<typeof Secret>>

export const QueryEcho = z.object({ tag: z.array(z.string()), loud: z.boolean() })

/** The decoded pairs of a form: each name with the list of its values. */
export const Pairs = z.record(z.string(), z.array(z.string()))
