import { describe, expect, it } from 'vitest'
import { whyNot } from '#shared/desk-actions/desk-actions.errors.ts'
import type { TimelineLine } from '#shared/desk-orders/desk-orders.schemas.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import { type Act, offeredActs } from './actions.rules.ts'

type Order = Parameters<typeof offeredActs>[0]

const line = (kind: string, at = '2027-05-15T13:20:00.000Z') =>
  ({ kind, at, by: { kind: 'agent' }, text: kind, data: {} }) as unknown as TimelineLine
const bag = (state: string, stoppedAt: string | null = null) =>
  ({ state, stoppedAt }) as Order['bookings'][number]
const refund = (state: string) => ({ state: 'succeeded', refunds: [{ state }] }) as Order['payments'][number]

const paid: Order = {
  ...{ status: 'PAID', transactionId: '1', timeline: [] },
  bookings: [bag('READY')],
  payments: [{ state: 'succeeded', refunds: [] } as unknown as Order['payments'][number]],
}

const hindranceOf = (act: Act, order: Partial<Order>, role: StaffRole = 'lead') =>
  offeredActs({ ...paid, ...order }, [role]).find((offered) => offered.act === act)?.hindrance

describe('what can be done about an order', () => {
  it('is offered by role, and roles add up', () => {
    const of = (...roles: StaffRole[]) => offeredActs(paid, roles).map(({ act }) => act)
    expect(of('support')).toEqual(['inquire', 'resend', 'checked', 'receiver', 'claim', 'cancel'])
    expect(of('money')).toEqual(['inquire', 'checked', 'claim', 'refund', 'write-off'])
    expect(of('support', 'money')).toEqual(of('lead').filter((act) => act !== 'reissue'))
  })

  it('not cancelled once the agent has the bag, unless that was undone', () => {
    expect(hindranceOf('cancel', {})).toBeUndefined()
    expect(hindranceOf('cancel', { timeline: [line('handed-over')] })).toEqual({
      handedOverAt: '2027-05-15T13:20:00.000Z',
    })
    const undone = [line('handed-over-undone', '2027-05-15T13:25:00.000Z'), line('handed-over')]
    expect(hindranceOf('cancel', { timeline: undone })).toBeUndefined()
    expect(hindranceOf('cancel', { status: 'CANCELLED' })).toEqual({ why: whyNot.ended })
  })

  it('no second refund, and a write-off only of one that is open', () => {
    expect(hindranceOf('refund', {})).toBeUndefined()
    expect(hindranceOf('refund', { payments: [refund('asked')] })).toEqual({ why: whyNot.refundOpen })
    expect(hindranceOf('refund', { status: 'REFUNDED' })).toEqual({ why: whyNot.refundDone })
    expect(hindranceOf('write-off', { payments: [refund('done')] })).toEqual({ why: whyNot.noRefund })
    expect(hindranceOf('write-off', { payments: [refund('due')] })).toBeUndefined()
  })

  it('messages are sent again where one was given up, also before it was written', () => {
    expect(hindranceOf('resend', {})).toEqual({ why: whyNot.noMessage })
    expect(hindranceOf('resend', { timeline: [line('message-delivered')] })).toEqual({
      why: whyNot.noMessage,
    })
    expect(hindranceOf('resend', { timeline: [line('message-dropped')] })).toBeUndefined()
  })

  it('a bag is checked while it has an alarm, the airway bill made again once it has stopped', () => {
    expect(hindranceOf('checked', {})).toEqual({ why: whyNot.noAlert })
    expect(hindranceOf('checked', { timeline: [line('contradiction')] })).toBeUndefined()
    // A silent bag stays in its list until there is news of it.
    expect(hindranceOf('checked', { timeline: [line('silent')] })).toEqual({ why: whyNot.noAlert })
    // Another alarm is worse, and stays.
    expect(
      hindranceOf('checked', { timeline: [line('label-stopped'), line('contradiction')] }),
    ).toBeUndefined()
    const looked = [line('checked', '2027-05-16T00:00:00.000Z'), line('contradiction')]
    expect(hindranceOf('checked', { timeline: looked })).toEqual({ why: whyNot.noAlert })
    expect(hindranceOf('reissue', {})).toEqual({ why: whyNot.notStopped })
    expect(hindranceOf('reissue', { bookings: [bag('READY', '2027-05-15T13:20:00.000Z')] })).toBeUndefined()
  })
})
