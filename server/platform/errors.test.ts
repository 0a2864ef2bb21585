import { describe, expect, it } from 'vitest'
import { defineErrors } from '#shared/platform/problem.ts'
import { Failure, failure, fillText, isFailure } from './errors.ts'

const rows = defineErrors({
  TOO_SOON: { status: 429, level: 'info', text: { ar: 'بعد {{seconds}} ث', en: 'in {{seconds}} s' } },
})

describe('failure', () => {
  it('is an error with its row, details and cause', () => {
    const cause = new Error('why')
    const error = failure(rows, 'TOO_SOON', { values: { seconds: 3 }, retryAfterSeconds: 3, cause })
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ name: 'Failure', code: 'TOO_SOON', row: rows.TOO_SOON, cause })
    expect(error.details.retryAfterSeconds).toBe(3)
  })

  it('is distinguished from other errors, optionally by code', () => {
    const error: unknown = failure(rows, 'TOO_SOON')
    expect(isFailure(error)).toBe(true)
    expect(isFailure(error, 'TOO_SOON')).toBe(true)
    expect(isFailure(error, 'ANOTHER')).toBe(false)
    expect(isFailure(new Error('TOO_SOON'), 'TOO_SOON')).toBe(false)
    expect(isFailure(undefined)).toBe(false)
  })

  it('throws for a code without a row', () => {
    const code = 'NO_SUCH_ROW' as 'TOO_SOON'
    expect(() => failure(rows, code)).toThrow('no error row NO_SUCH_ROW')
    expect(() => failure(rows, code)).not.toThrow(Failure)
  })
})

describe('fillText', () => {
  it('fills a translated value in the language of the text', () => {
    const values = { wait: { ar: 'دقيقتين', en: '2 minutes' } }
    expect(fillText('in {{wait}}', values, 'en')).toBe('in 2 minutes')
    expect(fillText('بعد {{wait}}', values, 'ar')).toBe('بعد دقيقتين')
  })

  it('fills every placeholder by its name', () => {
    expect(fillText('{{a}} and {{b}} and {{a}}', { a: 1, b: 'two' })).toBe('1 and two and 1')
  })

  it('replaces a placeholder without a value by nothing', () => {
    expect(fillText('in {{seconds}} s')).toBe('in  s')
  })

  it('inserts values literally', () => {
    expect(fillText('{{a}}', { a: '$& {{b}}' })).toBe('$& {{b}}')
  })
})
