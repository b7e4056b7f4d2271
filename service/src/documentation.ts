/** The documentation fallback: one Markdown document for every request that matches no endpoint. */
import type { Api } from 'lapidary'
import { markdown, outline } from 'lapidary/docs'
import type { HttpHandler } from 'lapidary/server'

const intros = [
  {
    title: 'Welcome',
    paragraphs: [
      'This is the documentation of the example web service, made from the same description as the service itself.',
      'Every example body below is the output of the encoders that answer your requests.',
    ],
  },
]

/** Answers 200 with the documentation of `api`, whatever was asked. */
export async function documentation(api: Api): Promise<HttpHandler> {
  const document = markdown(await outline(api, { intros }))
  const outgoing = Object.freeze({
    status: 200,
    headers: Object.freeze(['Content-Type', 'text/plain', 'X-Content-Type-Options', 'nosniff']),
    body: document,
  })
  return () => outgoing
}
