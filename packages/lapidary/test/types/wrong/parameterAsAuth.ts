/** A parameter as the auth of an endpoint. */
import { endpoint, noContent, optional, text } from 'lapidary'

export const page = endpoint('GET /page', { auth: optional(text), response: noContent })
