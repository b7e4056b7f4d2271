/**
 * Adds `repository`, `homepage` and `bugs` to the manifest of a published package. The repository has no address of its own in git, so that a fork
 * or a move needs no commit: the release workflow knows the address, and passes it as REPOSITORY_URL.
 */

/** The address without a trailing slash or `.git`. @throws TypeError unless it is the https address of one repository */
function parseRepositoryUrl(text) {
  const cure = `REPOSITORY_URL is ${JSON.stringify(text ?? '')}: set it to the https address of the repository, as https://HOST/OWNER/NAME.`
  if (!URL.canParse(text ?? '')) throw new TypeError(cure)
  const { protocol, origin, username, password, pathname, search, hash } = new URL(text)
  const path = pathname.replace(/\/$/, '').replace(/\.git$/, '')
  const isRepository = protocol === 'https:' && /^(?:\/[\w.-]+){2,}$/.test(path)
  if (!isRepository || [username, password, search, hash].some((part) => part !== '')) throw new TypeError(cure)
  return origin + path
}

/**
 * The members of a manifest that say where its package is developed.
 * @param {string | undefined} url the https address of the repository
 * @param {string} directory the folder of the package in the repository
 * @throws TypeError when `url` is not the https address of one repository
 */
export function createRepositoryFields(url, directory) {
  const address = parseRepositoryUrl(url)
  return {
    repository: { type: 'git', url: `git+${address}.git`, directory },
    homepage: `${address}#readme`,
    bugs: { url: `${address}/issues` },
  }
}

/**
 * The text of a manifest with these members behind its license. Everything else stays.
 * @param {string} manifest the text of a package.json
 * @param {string | undefined} url the https address of the repository
 * @param {string} directory the folder of the package in the repository
 */
export function addRepositoryFields(manifest, url, directory) {
  const { repository: _, homepage: __, bugs: ___, ...members } = JSON.parse(manifest)
  const fields = Object.entries(createRepositoryFields(url, directory))
  const entries = Object.entries(members)
  const place = entries.findIndex(([name]) => name === 'license') + 1 || entries.length
  return `${JSON.stringify(Object.fromEntries(entries.toSpliced(place, 0, ...fields)), null, 2)}\n`
}
