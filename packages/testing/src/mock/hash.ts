/** The hash that the values of a mock depend on beside the seed: the same words give the same number. */

/** Hashes words to 32 bits (FNV-1a with the last step of MurmurHash3): similar words give different numbers. */
export function hashWords(...words: readonly unknown[]): number {
  const text = words.join('\n')
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
