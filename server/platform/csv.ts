import type { LanguageCode } from '#shared/platform/language.ts'

export type CsvValue = string | null

export interface CsvColumn<R> {
  readonly title: string
  readonly value: (row: R) => CsvValue
  /** A number is written unchanged. Any other text is changed so that no spreadsheet reads it as a formula. */
  readonly isNumber?: true
}

const formula = /^\s*[=+\-@\t\r\n＝＋－＠]/u
/** Direction marks are removed, because they can make a value look like another value. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL ends a text for some programs
const hidden = /[\u0000\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

export function csvField(value: CsvValue, isNumber = false): string {
  const plain = (value ?? '').replace(hidden, '')
  const safe = !isNumber && formula.test(plain) ? `'${plain}` : plain
  return `"${safe.replaceAll('"', '""')}"`
}

const separators: Readonly<Record<LanguageCode, string>> = { ar: ';', en: ',' }

/** A BOM and CRLF let spreadsheets open CSV directly. */
export function csvOf<R>(
  columns: readonly CsvColumn<R>[],
  rows: readonly R[],
  language: LanguageCode,
  note?: string,
): string {
  const line = (fields: readonly string[]) => `${fields.join(separators[language])}\r\n`
  const head = line(columns.map(({ title }) => csvField(title)))
  const body = rows.map((row) => line(columns.map(({ value, isNumber }) => csvField(value(row), isNumber))))
  return `\uFEFF${head}${body.join('')}${note === undefined ? '' : line([csvField(note)])}`
}

/** A long number is grouped by four digits, because a spreadsheet would show it as 2.22E+11. */
export const inFours = (number: string): string => number.replace(/(.{4})(?=.)/g, '$1 ')
