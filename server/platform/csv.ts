import type { LanguageCode } from '#shared/platform/language.ts'

/** A value of a column; numbers are written by columns of numbers only. */
export type CsvValue = string | null

export interface CsvColumn<R> {
  readonly title: string
  readonly value: (row: R) => CsvValue
  /** The values are numbers. Every other value is written so that no program takes it for a formula. */
  readonly isNumber?: true
}

/** What programs of tables take for the beginning of a formula, also in full-width forms and after spaces. */
const formula = /^\s*[=+\-@\t\r\n＝＋－＠]/u
/** Marks of direction, which show a value in another order than it has, and NUL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL ends a text for some programs
const hidden = /[\u0000\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/** A field as it is written: quoted, and no formula. */
export function csvField(value: CsvValue, isNumber = false): string {
  const plain = (value ?? '').replace(hidden, '')
  const safe = !isNumber && formula.test(plain) ? `'${plain}` : plain
  return `"${safe.replaceAll('"', '""')}"`
}

/** The separator of fields that Windows expects in each language. */
const separators: Readonly<Record<LanguageCode, string>> = { ar: ';', en: ',' }

/** A file that a program of tables opens as it is: UTF-8 with BOM, lines with CRLF. @param note a last line about its rows */
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

/** A long number in groups of four, which no program turns into 2.22E+11. */
export const inFours = (number: string): string => number.replace(/(.{4})(?=.)/g, '$1 ')
