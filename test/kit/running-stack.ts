import { randomInt } from 'node:crypto'
import type { User } from '#shared/sessions/sessions.schemas.ts'
import { type Control, openControl } from './control.ts'
import { newPerson, type Person } from './person.ts'

/**
 * A stack that is already started, for the tests that the panel of the simulator makes of an order.
 * @param addresses where it was; `GATEWAY_URL` and `SIMULATOR_URL` name another one.
 */
export function runningStack(addresses: { gateway: string; simulator: string }): {
  control: Control
  signUp: () => Promise<{ pilgrim: Person; user: User }>
} {
  const { GATEWAY_URL: gatewayUrl = addresses.gateway, SIMULATOR_URL: mockUrl = addresses.simulator } =
    process.env
  const control = openControl(mockUrl)
  return {
    control,
    async signUp() {
      const pilgrim = newPerson({ gatewayUrl, control, logs: () => [] })
      // Random: the stack knows the phones of earlier runs.
      return { pilgrim, user: await pilgrim.signUp(`+96655${randomInt(2_000_000, 9_999_999)}`, 'Pilgrim') }
    },
  }
}
