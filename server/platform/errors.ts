import type { SendChannel } from '#shared/platform/code-channels.ts'
import { defaultLanguage, type LanguageCode } from '#shared/platform/language.ts'
import type { ErrorRow, PaidOrder } from '#shared/platform/problem.ts'
import type { Stop } from '#shared/platform/stop.ts'

export type FieldText = Readonly<Record<LanguageCode, string>>

type TextValues = Readonly<Record<string, string | number | FieldText>>

export interface FailureDetails {
  readonly values?: TextValues
  readonly fields?: readonly {
    readonly field: string
    readonly text: FieldText
    readonly values?: TextValues
  }[]
  readonly retryAfterSeconds?: number
  readonly orders?: readonly PaidOrder[]
  readonly channels?: readonly SendChannel[]
  readonly receivedAt?: string
  readonly stop?: Stop
  readonly cause?: unknown
}

/** An error of a feature's catalogue. The error handler sends it as a `Problem`. */
export class Failure extends Error {
  readonly code: string
  readonly row: ErrorRow
  readonly details: FailureDetails
  constructor(code: string, row: ErrorRow, details: FailureDetails) {
    super(code, { cause: details.cause })
    this.name = 'Failure'
    this.code = code
    this.row = row
    this.details = details
  }
}

export function failure<Rows extends Record<string, ErrorRow>>(
  rows: Rows,
  code: Extract<keyof Rows, string>,
  details: FailureDetails = {},
): Failure {
  const row = rows[code]
  if (!row) throw new Error(`no error row ${code}`)
  return new Failure(code, row, details)
}

export function isFailure(error: unknown, code?: string): error is Failure {
  return error instanceof Failure && (code === undefined || error.code === code)
}

export function fillText(
  template: string,
  values: FailureDetails['values'] = {},
  language: LanguageCode = defaultLanguage,
): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name] ?? ''
    return typeof value === 'object' ? value[language] : String(value)
  })
}
