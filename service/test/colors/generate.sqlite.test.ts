/** Generated colors. */

import { expect, test } from 'vitest'
import { generateColor, toHex } from '../../src/colorSources.ts'

const first = (count: number) => Array.from({ length: count }, (_, index) => generateColor(index))

test('generated colors are reproducible', () => {
  expect([0, 1, 999_999, 2 ** 24 - 1].map(generateColor)).toEqual([
    { name: 'Colour 00000000', rgb: [0, 0, 0], hex: '#000000' },
    { name: 'Colour 00000001', rgb: [0, 3, 253], hex: '#0003fd' },
    { name: 'Colour 00999999', rgb: [219, 53, 67], hex: '#db3543' },
    { name: 'Colour 16777215', rgb: [255, 252, 3], hex: '#fffc03' },
  ])
})

test('the first 300,000 have different names and values, and hex agrees with rgb', () => {
  const colors = first(300_000)
  expect(new Set(colors.map(({ name }) => name)).size).toBe(colors.length)
  expect(new Set(colors.map(({ hex }) => hex)).size).toBe(colors.length)
  expect(colors.filter(({ rgb, hex }) => toHex(rgb) !== hex || !rgb.every((part) => part >= 0 && part <= 255))).toEqual([])
})

test('after all colors they repeat under other names', () => {
  const [one, again] = [generateColor(77), generateColor(2 ** 24 + 77)]
  expect(again.rgb).toEqual(one.rgb)
  expect(again.name).toBe('Colour 16777293')
})

test.each([20_000, 50_000, 100_000])('the first %i are spread over all colors', (count) => {
  const cubes = new Map<string, number>()
  for (const { rgb } of first(count)) {
    const cube = rgb.map((part) => part >> 6).join()
    cubes.set(cube, (cubes.get(cube) ?? 0) + 1)
  }
  expect(cubes.size).toBe(64)
  const share = count / 64
  expect(Math.min(...cubes.values())).toBeGreaterThan(share / 2)
  expect(Math.max(...cubes.values())).toBeLessThan(share * 2)
})

test('many share a sum of their components', () => {
  expect(new Set(first(100_000).map(({ rgb: [red, green, blue] }) => red + green + blue)).size).toBeLessThan(750)
})
