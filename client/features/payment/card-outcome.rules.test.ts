import { describe, expect, it } from 'vitest'
import { readOutcome } from './card-outcome.rules.ts'

describe('the response of the widget', () => {
  const success = { success: 'true', pending: 'false', merchant_order_id: 'OD-42-1', hmac: 'f' }

  it('is a success in data, or in res.data', () => {
    const taken = { kind: 'taken', merchantOrderId: 'OD-42-1' }
    expect(readOutcome({ data: success })).toEqual(taken)
    expect(readOutcome({ res: { data: success } })).toEqual(taken)
    expect(readOutcome({ data: { ...success, success: true } })).toEqual(taken)
  })

  it('is taken while the provider is processing it', () => {
    expect(readOutcome({ data: { success: 'false', pending: 'true' } })).toEqual({ kind: 'taken' })
  })

  it('has no reference when its format is invalid', () => {
    expect(readOutcome({ data: { success: 'true' } })).toEqual({ kind: 'taken' })
    expect(readOutcome({ data: { success: 'true', merchant_order_id: '../../x?y=1' } })).toEqual({
      kind: 'taken',
    })
  })

  it.each([
    ['Insufficient Funds', 'no-funds'],
    ['Expired Card', 'expired-card'],
    ['3D Secure Authentication Failed', 'not-authenticated'],
  ])('is a decline for a known reason, without the provider’s words: %s', (said, reason) => {
    const declined = { kind: 'declined', reason }
    expect(readOutcome({ data: { success: 'false', 'data.message': said } })).toEqual(declined)
    expect(readOutcome({ res: { status: 400, data: { message: said } } })).toEqual(declined)
  })

  it('is a decline with the reason the provider gives', () => {
    expect(readOutcome({ data: { success: 'false', 'data.message': 'Do not honour' } })).toEqual({
      kind: 'declined',
      message: 'Do not honour',
    })
    expect(readOutcome({ data: { error: 'Blocked' } })).toEqual({ kind: 'declined', message: 'Blocked' })
    expect(readOutcome({ data: { success: 'false' } })).toEqual({ kind: 'declined' })
  })

  it.each([
    [
      { status: 400, data: ['Retry limit reached.'] },
      { kind: 'refused', refusal: 'retries-used' },
    ],
    [
      { res: { status: 400, data: { msg: 'Retry limit reached.' } } },
      { kind: 'refused', refusal: 'retries-used' },
    ],
    [
      { status: 403, data: {} },
      { kind: 'refused', refusal: 'retries-used' },
    ],
    [
      { status: 401, data: { detail: 'expired' } },
      { kind: 'refused', refusal: 'form-expired' },
    ],
    [
      { status: 406, data: { message: 'no' } },
      { kind: 'refused', refusal: 'already-handled' },
    ],
    [
      { status: 422, data: null },
      { kind: 'refused', refusal: 'already-handled' },
    ],
    [
      { status: 400, data: { message: 'Session Error' } },
      { kind: 'refused', refusal: 'already-handled' },
    ],
    [{ status: 400, data: { msg: 'Order has already paid.' } }, { kind: 'taken' }],
    [{ status: 400, data: ['Order has already been paid.'] }, { kind: 'taken' }],
    [{ status: 400, data: { message: 'Declined' } }, { kind: 'declined' }],
    [
      { status: 400, data: { message: 'Blocked' } },
      { kind: 'declined', message: 'Blocked' },
    ],
    [{ status: 400, data: {} }, { kind: 'declined' }],
    [{ status: 400, data: { success: 'false' } }, { kind: 'declined' }],
    [{ status: 500, data: 'oops' }, { kind: 'unknown' }],
  ])('is read by status and text: %j', (response, outcome) => {
    expect(readOutcome(response)).toEqual(outcome)
  })

  it.each([undefined, null, 'ok', {}, { data: null }, { data: {} }, { data: { message: 'hello' } }])(
    'is unknown when it says neither: %j',
    (response) => {
      expect(readOutcome(response)).toEqual({ kind: 'unknown' })
    },
  )
})
