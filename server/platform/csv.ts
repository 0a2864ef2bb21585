import type { LanguageCode } from '#shared/platform/language.ts'

export type CsvValue = string | null

export interface CsvColumn<R> {
  readonly title: string
  readonly value: (row: R) => CsvValue
  /** A number is written unchanged. Any other value is written so that no program reads it as a formula. */
  readonly isNumber?: true
}

/** Matches a text that begins like a formula, also with full-width signs or after spaces. */
const formula = /^\s*[=+\-@\t\r\n＝＋－＠]/u
/** Direction marks are removed, because with them a value can look like another value. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL ends a text for some programs
const hidden = /[\u0000\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

export function csvField(value: CsvValue, isNumber = false): string {
  const plain = (value ?? '').replace(hidden, '')
  const safe = !isNumber && formula.test(plain) ? `'${plain}` : plain
  return `"${safe.replaceAll('"', '""')}"`
}

const separators: Readonly<Record<LanguageCode, string>> = { ar: ';', en: ',' }

/** CSV text with BOM and CRLF, which spreadsheets open directly. @param note text of a last line */
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

/** Writes a long number in groups of four digits, so that no program turns it into 2.22E+11. */
export const inFours = (number: string): string => number.replace(/(.{4})(?=.)/g, '$1 ')
