import { CallProblem } from '#client/platform/call.ts'
import { textNow } from '#client/platform/i18n.ts'
import type { TypedPhone } from './phone-field.tsx'
import { loadPhoneNumbers, phoneNumbersNow, usePhoneNumbers } from './phone-numbers.state.ts'

/** The typed number in its international form; undefined until the library of phone numbers is loaded. */
export function usePhoneNumber({ country, text }: TypedPhone): string | undefined {
  return usePhoneNumbers()?.composePhone(country, text).phone
}

/** The international number when the library is loaded at this moment, without a hook. */
export const phoneNumberOf = ({ country, text }: TypedPhone): string | undefined =>
  phoneNumbersNow()?.composePhone(country, text).phone

/** @throws CallProblem */
export async function loadNumbers(): Promise<void> {
  await loadPhoneNumbers().catch((cause: unknown) => {
    const message = textNow('platform:unreachable')
    throw new CallProblem({ code: 'UNREACHABLE', status: 0, message }, { cause })
  })
}
