/** Aligns numbers right and other cells left. */
const isNumber = (cell: string) => /^[-–]?[\d.,]+( ?\D{1,4})?$/.test(cell)

/** A table in plain text: a line of heads, a rule, and the rows, as wide as their widest cell. */
export function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => (row[column] ?? '').length)),
  )
  const line = (cells: readonly string[], isHead: boolean) =>
    widths
      .map((width, column) => {
        const cell = cells[column] ?? ''
        return !isHead && isNumber(cell) ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  return [
    line(heads, true),
    widths.map((width) => '-'.repeat(width)).join('  '),
    ...rows.map((row) => line(row, false)),
  ].join('\n')
}

/** Three significant figures: `0.173`, `12.3`, `4560`; a dash for NaN. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3
  return value.toFixed(digits)
}
