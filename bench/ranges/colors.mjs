/** The colours that are measured: as many as one likes, distinct, with names in another order than hex and rgb. */

/** Multipliers without a common factor with a power of two: they put numbers into another order, and leave none out. */
const spread = { name: 2_654_435_761, color: 11_400_715 }
const words = ['Dark ', 'Deep ', 'Pale ', 'Soft ', 'Warm ', 'Cold ', 'Wild ', 'Mild ']
export const fields = /** @type {const} */ (['name', 'hex', 'rgb'])

/**
 * The colour of one row, from 0. The statements below give the same.
 * @param {number} row
 */
export function color(row) {
  const key = Number((BigInt(row) * BigInt(spread.name)) % 2n ** 32n)
  const value = Number((BigInt(row) * BigInt(spread.color)) % 2n ** 24n)
  return {
    name: `${words[key & 7]}${key.toString(16).padStart(8, '0')}`,
    rgb: [value >> 16, (value >> 8) & 255, value & 255],
    hex: `#${value.toString(16).padStart(6, '0')}`,
  }
}

/** @param {ReturnType<typeof color>} color @param {string} field */
export const getFieldValue = ({ name, hex, rgb: [red, green, blue] }, field) => ({ name, hex, rgb: red + green + blue })[field]

/** The rows from 0 as a SELECT, ordered by name, whose source is `rows (row)` and whose dialect has these functions. */
const createSelect = (hexadecimal, rows) => `
  SELECT substr('${words.join('')}', CAST(1 + 5 * (key & 7) AS integer), 5) || ${hexadecimal('key', 8)} AS name,
    value >> 16 AS red, (value >> 8) & 255 AS green, value & 255 AS blue, '#' || ${hexadecimal('value', 6)} AS hex
  FROM (SELECT (row * ${spread.name}) % 4294967296 AS key, (row * ${spread.color}) % 16777216 AS value FROM ${rows}) AS numbers`

/** @param {number} count */
export const selectSqliteRows = (count) => `
  WITH RECURSIVE rows (row) AS (SELECT 0 UNION ALL SELECT row + 1 FROM rows WHERE row < ${count - 1})
  ${createSelect((value, digits) => `printf('%0${digits}x', ${value})`, 'rows')} ORDER BY name`

/** @param {number} count */
export const selectPostgresRows = (count) =>
  createSelect((value, digits) => `lpad(to_hex(${value}), ${digits}, '0')`, `generate_series(0::bigint, ${count - 1}) AS rows (row)`)
