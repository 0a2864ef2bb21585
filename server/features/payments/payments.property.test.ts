import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isFailure } from '#server/platform/errors.ts'
import { minute, second } from '#test/kit/clock.ts'
import { isFull } from '#test/kit/full-run.ts'
import { openPaymentFixture, type PaymentFixture } from '#test/kit/payment-fixture.ts'
import { runSeed } from '#test/kit/random.ts'
import { receiveCallback } from './callbacks.ts'
import { renewPayment } from './intentions.ts'
import { attemptRules } from './payments.rules.ts'

/**
 * One order of a pilgrim who presses Pay again and again and pays in the form on screen, while callbacks are lost and the
 * provider answers only sometimes. As at the provider, a form takes one payment, within its hour.
 */
interface Booking {
  readonly fixture: PaymentFixture
  readonly orderId: number
  /** The secret of the form on screen, and when its hour ends. */
  form: { readonly clientSecret: string; readonly until: number } | undefined
}

interface Step {
  /** For the counterexample. */
  readonly name: string
  readonly act: (booking: Booking) => Promise<unknown>
}

const refusals = ['PAYMENT_UNCHECKED', 'PAYMENT_UNAVAILABLE', 'ORDER_NOT_PAYABLE']

const press = (isSpent: boolean): Step => ({
  name: isSpent ? 'ask for another form' : 'press Pay',
  async act(booking) {
    const { fixture, form } = booking
    booking.form = undefined
    try {
      const { clientSecret } = await renewPayment(
        fixture.core,
        1,
        booking.orderId,
        form?.clientSecret,
        isSpent,
      )
      const isSame = clientSecret === form?.clientSecret
      const until = isSame ? form.until : fixture.clock.now() + attemptRules.secretLifeMs
      booking.form = { clientSecret, until }
    } catch (error) {
      if (!refusals.some((code) => isFailure(error, code))) throw error
    }
  },
})

const pay = (isApproved: boolean, isReported: boolean): Step => ({
  name: `${isApproved ? 'pay' : 'be declined'}${isReported ? '' : ', callback lost'}`,
  async act({ fixture, form }) {
    if (!form || fixture.clock.now() >= form.until) return
    const intention = fixture.provider.intentionOf(form.clientSecret)
    if (intention.charges.some((charge) => charge.isApproved)) return
    const charge = fixture.provider.charge(intention, isApproved)
    if (isReported) await receiveCallback(fixture.core, fixture.provider.report(charge), 'signature')
  },
})

const owner = { role: 'user', userId: 1 } as const
const pass = (ms: number): Step => ({
  name: `pass ${ms / second} s`,
  act: async ({ fixture }) => fixture.clock.advance(ms),
})
const calls = ['inquire', 'inquire', 'create'] as const
const troubles = ['refused', 'cut-before', 'cut-after'] as const

const steps = fc.oneof(
  fc.boolean().map(press),
  fc.tuple(fc.boolean(), fc.boolean()).map(([isApproved, isReported]) => pay(isApproved, isReported)),
  fc.constantFrom(5 * second, 10 * minute, 51 * minute).map(pass),
  fc.constantFrom<Step>(
    { name: 'look', act: ({ fixture, orderId }) => fixture.readOrder(owner, String(orderId)) },
    { name: 'sweep', act: ({ fixture }) => fixture.sweep() },
    {
      name: 'press Pay in two tabs',
      act: (booking) => Promise.all([press(false).act(booking), press(false).act(booking)]),
    },
  ),
  fc
    .tuple(fc.constantFrom(...calls), fc.array(fc.constantFrom(...troubles), { minLength: 1, maxLength: 3 }))
    .map(
      ([call, next]): Step => ({
        name: `${call} fails: ${next}`,
        act: async ({ fixture }) => fixture.provider.fail(call, ...next),
      }),
    ),
)

it('no order is paid twice, whichever callbacks and inquiries are lost and however often Pay is pressed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { maxLength: 25, size: 'max' }), async (history) => {
      const fixture = await openPaymentFixture()
      try {
        const booking: Booking = { fixture, orderId: await fixture.createOrder(), form: undefined }
        await press(false).act(booking)
        for (const { act } of history) {
          await act(booking)
          const charges = fixture.provider.intentions.flatMap((intention) => intention.charges)
          expect(charges.filter(({ isApproved }) => isApproved).length).toBeLessThanOrEqual(1)
        }
      } finally {
        await fixture.close()
      }
    }),
    { numRuns: isFull ? 2_000 : 200, seed: runSeed },
  )
})
