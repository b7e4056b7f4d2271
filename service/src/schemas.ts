/** The records of the specification, as they stand on the wire. */
import { z } from 'zod'

export { Color } from './schemas/color.ts'

/** Text that is kept. NUL and halves of surrogate pairs are refused: no two databases agree on what to do with them. */
const kept = z
  .string()
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'expected text without NUL and without lone surrogates')

/** Text that lists are ordered by, in characters of UTF-16: the entry of an index has its bounds, in PostgreSQL 2,704 bytes. */
const indexed = kept.max(500, 'expected at most 500 characters')

/** A day of the calendar. There was no year 0, and PostgreSQL knows none. */
const day = z.iso.date().refine((text) => !text.startsWith('0000'), 'expected a calendar date, from 0001-01-01 on')

export const User = z
  .object({ name: indexed, age: z.int(), email: kept, registration_date: day })
  .meta({ examples: [{ name: 'Ada Lovelace', age: 36, email: 'ada@example.org', registration_date: '1833-06-05' }] })

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

export const FileContent = z.object({ content: z.string() })

export const Product = z.object({ productId: z.int(), name: kept.optional() }).meta({ examples: [{ productId: 1 }] })

export const Secret = z.object({ secret: kept }).meta({ examples: [{ secret: 'Swordfish.' }] })

export const Health = z.object({ status: z.string() })

export const QueryEcho = z.object({ tag: z.array(z.string()), loud: z.boolean() })

/** The decoded pairs of a form: each name with the list of its values. */
export const Pairs = z.record(z.string(), z.array(z.string()))
