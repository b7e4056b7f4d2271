/** Rows on static files: only regular files in the root are served. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { get, head, type Row, saying, served, where } from './row.ts'

/** How large the largest file says it is; on disk it is empty. */
export const gigabyte: number = 1_073_741_824

/** Fills the working directory: files, and what only looks like one. */
export function layOut(folder: string): void {
  const root = join(folder, 'static-files')
  mkdirSync(join(root, 'folder'), { recursive: true })
  mkdirSync(join(root, 'bare'))
  mkdirSync(join(root, '.git'))
  writeFileSync(join(folder, 'outside.txt'), 'smuggled')
  writeFileSync(join(folder, 'static-files-too.txt'), 'smuggled')
  writeFileSync(join(root, 'a.txt'), 'hello')
  writeFileSync(join(root, '.hidden'), 'smuggled')
  writeFileSync(join(root, '.git', 'config'), 'smuggled')
  writeFileSync(join(root, 'folder', 'index.html'), '<p>hello</p>')
  symlinkSync(join(folder, 'outside.txt'), join(root, 'out.txt'))
  symlinkSync('/etc', join(root, 'etc'))
  symlinkSync('loop', join(root, 'loop'))
  symlinkSync('nowhere', join(root, 'dangling'))
  symlinkSync('a.txt', join(root, 'within.txt'))
  for (const name of ['huge.bin', 'shrinking.bin']) {
    writeFileSync(join(root, name), '')
    truncateSync(join(root, name), gigabyte)
  }
  // Where there is no mkfifo there is no such file, and the answer is the same.
  spawnSync('mkfifo', [join(root, 'pipe')])
}

const absent: readonly string[] = [
  '..', '../outside.txt', '../../etc/passwd', '../static-files-too.txt', '%2e%2e/outside.txt', '%2e%2e%2foutside.txt', '..%2foutside.txt', '.%2e/outside.txt', '..%5coutside.txt',
  '..\\outside.txt', '%5c..%5coutside.txt', '%252e%252e/outside.txt', '%252e%252e%252foutside.txt', '..%252foutside.txt', '....//outside.txt', '..;/outside.txt', '..%00/outside.txt',
  'folder/../../outside.txt', 'folder/%2e%2e/%2e%2e/outside.txt', 'folder/..%2f..%2foutside.txt', '%c0%ae%c0%ae/outside.txt', '%e0%80%ae%e0%80%ae/outside.txt', '%uff0e%uff0e/outside.txt',
  '/etc/passwd', '//etc/passwd', '%2fetc%2fpasswd', 'C:/windows/win.ini', 'C:%5cwindows%5cwin.ini', 'file:///etc/passwd', '\\\\server\\share', 'a.txt%00', 'a.txt%00.html', '%00', 'a.txt::$DATA',
  'a.txt/', 'a.txt/.', 'a.txt%2f', 'a.txt.', 'a.txt%20', 'A.TXT', './a.txt', '%2e/a.txt', '/a.txt', 'folder/../a.txt', '.hidden', '.git/config', '%2ehidden', '.', 'bare', 'bare/',
  'out.txt', 'etc/passwd', 'etc', 'loop', 'dangling', 'pipe', 'nowhere.txt', '__proto__', 'a'.repeat(5_000), 'a/'.repeat(2_500), '%61'.repeat(2_000), '%', '%zz', '%ff', 'con', 'nul', '~', '~root', '*', '$HOME',
] // biome-ignore format: a table

const ranges: readonly (readonly [range: string, ...statuses: number[]])[] = [
  ['bytes=0-0', 206],
  ['bytes=4-', 206],
  ['bytes=-1', 206],
  ['bytes=5-', 416],
  ['bytes=-0', 416],
  ['bytes=9-1', 200, 416],
  ['bytes=0-99999999999999999999', 206, 200, 416],
  ['bytes=99999999999999999999-', 416, 200],
  ['bytes=0-0,1-1', 200],
  [`bytes=${'0-,'.repeat(2_000)}0-`, 200],
  ['bytes=a-b', 200],
  ['bytes=', 200],
  ['bytes', 200],
  ['BYTES=0-0', 200, 206],
  ['bytes=0x0-0x1', 200],
  ['bytes=-', 200],
  ['bytes=--1', 200],
  ['bytes=1e0-', 200],
  ['lines=0-1', 200],
]

export const staticFiles: readonly Row[] = [
  saying(served('a file', get('/static/a.txt'), 200), 'hello'),
  saying(served('a link that stays within', get('/static/within.txt'), 200), 'hello'),
  served('a folder with an index', get('/static/folder/'), 200),
  ...absent.map((path) => served(`/static/${path.slice(0, 40)} (${path.length}) is not there`, get(`/static/${path}`), [400, 404])),
  ...absent.slice(0, 12).map((path) => served(`HEAD /static/${path} is not there either`, head(`HEAD /static/${path}`), [400, 404])),
  ...ranges.map(([range, ...statuses]) =>
    served(`Range: ${range.slice(0, 40)} (${range.length})`, get('/static/a.txt', `Range: ${range}`), statuses),
  ),
  where(served('two lines of Range', get('/static/a.txt', 'Range: bytes=0-0', 'Range: bytes=1-1'), 200), ([reply]) =>
    reply?.body.toString() === 'hello' ? undefined : 'a part that was not requested',
  ),
  served('any method is served as GET', head('DELETE /static/a.txt') + get('/static/a.txt'), 200, 200),
]
