export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}

export const timeOf = (epochMs: number | null) => (epochMs === null ? '-' : new Date(epochMs).toISOString())

export const moneyOf = (halalas: number, currency: string) => `${(halalas / 100).toFixed(2)} ${currency}`

/** A phone that an operator recognises and a reader cannot call: +96651•••678. */
export const maskedPhone = (phone: string) => `${phone.slice(0, 6)}•••${phone.slice(-3)}`
