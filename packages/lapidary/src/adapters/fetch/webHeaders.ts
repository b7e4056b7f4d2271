/** Converts header lists to Headers of the web. */

/**
 * Creates Headers of a flat list.
 *
 * @throws TypeError for a name or a value that cannot be sent
 */
export function toWebHeaders(flat: readonly string[]): Headers {
  const headers = new Headers()
  for (let index = 0; index < flat.length; index += 2) headers.append(flat[index] as string, flat[index + 1] as string)
  return headers
}
