import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { withHeaders } from 'lapidary'
import type { Handlers } from 'lapidary/server'
import { sendFile } from 'lapidary/static'
import type { api } from '../api.ts'
import type { WithMember } from '../guards.ts'
import type { Attachment } from '../schemas.ts'
import { findTicket, type Store } from '../store.ts'

/** Scripts of an uploaded picture (SVG) do not run. */
const sandbox = "sandbox; default-src 'none'; style-src 'unsafe-inline'"

export function createAttachmentHandlers({ database }: Store, folder: string): Handlers<typeof api.org.attachments, WithMember> {
  const selectAttachments = (ticket: number) => database.selectFrom('attachments').selectAll().where('ticket', '=', ticket)
  return {
    list: async ({ params, member, fail }) => {
      const ticket = (await findTicket(database, member.org, params.ticket)) ?? fail(404)
      const rows = await selectAttachments(ticket.id).orderBy('created_at').execute()
      return rows.map(({ created_at, ...row }) => ({ ...row, createdAt: new Date(created_at) }))
    },
    add: async ({ params, member, body, fail }) => {
      const ticket = (await findTicket(database, member.org, params.ticket)) ?? fail(404)
      const attachments: Attachment[] = []
      try {
        for await (const { file } of body) {
          const attachment = { id: randomUUID(), name: file.name, type: file.type, size: 0, createdAt: new Date() }
          attachments.push(attachment)
          const target = createWriteStream(join(folder, attachment.id), { flags: 'wx' })
          await pipeline(file, target)
          attachment.size = target.bytesWritten
        }
        // The form is complete: nothing is missing, and nothing is too large.
        const rows = attachments.map(({ createdAt, ...row }) => ({ ...row, ticket: ticket.id, created_at: createdAt.toISOString() }))
        await database.insertInto('attachments').values(rows).execute()
      } catch (error) {
        for (const { id } of attachments) await rm(join(folder, id), { force: true })
        throw error
      }
      return attachments
    },
    one: async ({ params, member, fail }) => {
      const ticket = (await findTicket(database, member.org, params.ticket)) ?? fail(404)
      const { id, name, type } = (await selectAttachments(ticket.id).where('id', '=', params.attachment).executeTakeFirst()) ?? fail(404)
      const found = (await sendFile(id, { root: folder, name, type })) ?? fail(404)
      return withHeaders(found, { 'Content-Security-Policy': sandbox })
    },
  }
}
