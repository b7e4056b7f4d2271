/** What comes in and what goes out, in zod, for the peers that are told of it so. */
import { z } from 'zod'

/** A whole number that is written as one: what a path says is text. */
export const integer = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number)
  .pipe(z.int())

export const HelloQuery = z.object({ name: z.string().optional() })
export const Hello = z.object({ msg: z.string() })
export const PositionParams = z.object({ x: integer, y: integer })
export const Position = z.object({ xCoord: z.int(), yCoord: z.int() })
export const ClientInfo = z.object({
  clientName: z.string(),
  clientEmail: z.string(),
  clientAge: z.int(),
  clientInterestedIn: z.array(z.string()),
})
export const Email = z.object({ from: z.string(), to: z.string(), subject: z.string(), body: z.string() })
export const Users = z.array(z.object({ name: z.string(), age: z.int(), email: z.string(), registration_date: z.iso.date() }))
export const PageQuery = z.object({ after: z.string() })
export const Colors = z.array(z.object({ name: z.string(), rgb: z.array(z.int()), hex: z.string() }))
