/** Decides what a release publishes, and under which dist-tag, from what the registry has. */

/**
 * The versions of a package in the registry, and its dist-tags; neither where the registry does not have the package.
 * @param {string} registry its URL
 * @param {string} name of the package
 * @param {number} [timeout] milliseconds
 * @throws Error that names the URL, for a registry that answers with an error, with something else, or not in time
 */
export async function readRegistry(registry, name, timeout = 60_000) {
  const url = `${registry.replace(/\/?$/, '/')}${name.replace('/', '%2f')}`
  const init = { cache: 'no-store', headers: { Accept: 'application/vnd.npm.install-v1+json' }, signal: AbortSignal.timeout(timeout) }
  try {
    const response = await fetch(url, init)
    if (response.status === 404) return { versions: [], tags: {} }
    if (!response.ok) throw new Error(`the status is ${response.status}`)
    const { versions, 'dist-tags': tags } = await response.json()
    return { versions: Object.keys(versions), tags }
  } catch (error) {
    throw new Error(`GET ${url} failed: ${error.message}.`, { cause: error })
  }
}

const parseVersion = (/** @type {string} */ version) => {
  const [, core = '', prerelease] = /^(\d+\.\d+\.\d+)(?:-([^+]+))?$/.exec(version) ?? []
  if (core === '') throw new TypeError(`"${version}" is no version: expected one such as 1.2.3 or 1.2.3-beta.0.`)
  return { numbers: core.split('.').map(Number), prerelease }
}

/** Whether the first version is older than the second, without regard to prereleases. */
function isOlder(version, other) {
  const [numbers, others] = [version, other].map((one) => parseVersion(one).numbers)
  const index = numbers.findIndex((number, position) => number !== others[position])
  return index !== -1 && numbers[index] < others[index]
}

/**
 * The dist-tag of a version. `npm install` takes `latest` where no version is given, so a prerelease gets the tag of its first word, and a fix of an
 * older line does not move `latest` back.
 * @param {string} version
 * @param {string} [latest] the version that has the tag now
 */
export function chooseTag(version, latest) {
  const { numbers, prerelease } = parseVersion(version)
  const [word = ''] = prerelease?.split('.') ?? []
  if (prerelease !== undefined) return /^(?!latest$)[a-z]/i.test(word) ? word : 'next'
  return latest !== undefined && isOlder(version, latest) ? `release-${numbers[0]}.${numbers[1]}` : 'latest'
}

/**
 * A package is published when the registry lacks its version. One that the registry has is never published again, so that a release which failed in the
 * middle goes on where it stopped. Then what is there must come from these sources: the packages depend on each other in exactly these versions.
 * @template {{ name: string, version: string }} Package
 * @param {readonly (Package & { latest?: string, isPublished: boolean, isSame?: boolean })[]} packages  in the order in which they are published;
 *   `isSame` says whether the published files are these
 * @returns {readonly (Package & { tag: string })[]} what to publish
 * @throws Error when the release would mix two states of the sources
 */
export function planRelease(packages) {
  const missing = packages.filter(({ isPublished }) => !isPublished)
  const others = missing.length === 0 ? [] : packages.filter(({ isSame }) => isSame === false)
  if (others.length > 0) {
    const names = others.map(({ name, version }) => `${name}@${version}`).join(', ')
    throw new Error(
      `The registry has ${names} with other files than these sources give, and lacks ${missing.map(({ name }) => name).join(', ')}. Release the commit that the published ones are from, or raise the version of all: add a changeset, and run "npm run changeset -- version".`,
    )
  }
  return missing.map((one) => ({ ...one, tag: chooseTag(one.version, one.latest) }))
}
