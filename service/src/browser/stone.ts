/** One colour as an item of the list: a stone cut from it, its name and its value. */
import type { Color } from '../schemas/color.ts'

/** What the colours are ordered by, for a reader. */
const beneath = ({ hex, rgb }: Color, field: string): string =>
  field === 'rgb' ? `${rgb.reduce((sum, component) => sum + component, 0)} = ${rgb.join('+')}` : hex

export function stone(color: Color, field: string): HTMLLIElement {
  const item = document.createElement('li')
  item.style.setProperty('--color', color.hex)
  const name = document.createElement('span')
  name.textContent = color.name
  const value = document.createElement('code')
  value.textContent = beneath(color, field)
  item.append(name, ' ', value)
  return item
}
