/** The contrast of visible text and its background (WCAG 2.2, 1.4.3 and 1.4.11). */

import type { Page } from 'playwright-core'

/** A text, or the edge of a control, and its contrast: from 1 to 21. */
export interface Contrast {
  readonly what: string
  readonly ratio: number
}

/** Of every text and every control of the page, hidden ones included. */
export const contrasts = (page: Page): Promise<readonly Contrast[]> =>
  page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    if (canvas === null) throw new Error('There is no canvas.')

    /** The three components, in any notation of a colour. */
    const components = (color: string): readonly number[] => {
      canvas.clearRect(0, 0, 1, 1)
      canvas.fillStyle = color
      canvas.fillRect(0, 0, 1, 1)
      return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)]
    }
    const luminance = (color: string): number => {
      const [red = 0, green = 0, blue = 0] = components(color).map((component) => {
        const share = component / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const ratio = (one: string, other: string): number => {
      const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((low, high) => low - high)
      return (light + 0.05) / (dark + 0.05)
    }
    const behind = (element: Element | null): string => {
      if (element === null) return 'white'
      const { backgroundColor } = getComputedStyle(element)
      return backgroundColor === 'rgba(0, 0, 0, 0)' ? behind(element.parentElement) : backgroundColor
    }

    for (const hidden of document.querySelectorAll<HTMLElement>('[hidden]')) hidden.hidden = false
    const all = [...document.body.querySelectorAll('*')].filter(({ tagName }) => !['SCRIPT', 'NOSCRIPT'].includes(tagName))
    const texts = all.filter(({ childNodes }) => [...childNodes].some((node) => node instanceof Text && node.data.trim() !== ''))
    const controls = all.filter(({ tagName }) => ['SELECT', 'BUTTON'].includes(tagName))
    return [
      ...texts.map((element) => ({
        what: `the text "${element.textContent?.trim()}"`,
        ratio: ratio(getComputedStyle(element).color, behind(element)),
      })),
      ...controls.map((element) => ({
        what: `the edge of "${element.id}"`,
        ratio: ratio(getComputedStyle(element).borderTopColor, behind(element.parentElement)),
      })),
    ]
  })
