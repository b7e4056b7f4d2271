/** The complete documentation of `main`. */
import { markdown, outline } from 'lapidary/docs'
import { expect, test } from 'vitest'
import { main } from '../../src/api.ts'

test('the documentation of main equals the golden file', async () => {
  await expect(markdown(await outline(main, { title: 'The example service' }))).toMatchFileSnapshot('../golden/main.md')
})
