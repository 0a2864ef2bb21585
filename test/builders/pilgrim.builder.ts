import type { CheckoutRequest } from '#shared/checkout/checkout.schemas.ts'
import { addEmail, verifyEmail } from '#shared/sessions/emails.operations.ts'
import type { User } from '#shared/sessions/sessions.schemas.ts'
import { eventually } from '#test/kit/basics/eventually.ts'
import { newPerson, type Person } from '#test/kit/gateway/person.ts'
import type { Stack } from '#test/kit/programs/stack.ts'

let given = 0

/** An unused Saudi mobile number in E.164. */
export function newPhone(): string {
  given += 1
  return `+96655${String(1_000_000 + given)}`
}

export interface Pilgrim {
  person: Person
  user: User
}

/** A new user, signed up and signed in. */
export async function signedUpPilgrim(
  stack: Stack,
  options: { name?: string; lang?: 'ar' | 'en' } = {},
): Promise<Pilgrim> {
  const person = newPerson(stack, options.lang === undefined ? {} : { lang: options.lang })
  return { person, user: await person.signUp(newPhone(), options.name ?? 'Maryam Al-Harbi') }
}

/** Proves an address of the pilgrim's. It recovers the account a day later. */
export async function withEmail(stack: Stack, { person }: Pilgrim, email: string): Promise<void> {
  await person.confirm('email')
  await person.call(addEmail, { body: { email } })
  await person.call(verifyEmail, { body: { code: await stack.control.codeFor(email) } })
}

/** An order that a callback has made paid. Its airway bill may not be issued yet. */
export async function paidOrder(
  stack: Stack,
  { person, user }: Pilgrim,
  change: Partial<CheckoutRequest> = {},
): Promise<number> {
  const { orderId } = await person.checkout(user.id, change)
  const { callbacks } = await stack.control.replay(orderId, 'success')
  if (callbacks.some(({ status }) => status !== 200))
    throw new Error(`the callback was answered ${callbacks.map(({ status }) => status)}`)
  return orderId
}

/** The airway bill of an order's first booking, once there is one. */
export function issuedAwb(person: Person, orderId: number, { withinMs = 20_000 } = {}): Promise<string> {
  return eventually(async () => (await person.order(orderId)).bookings[0]?.awb ?? undefined, { withinMs })
}

/** The id of the partner's agent who signs in with this phone. */
export async function agentCodeOf(person: Person, phone: string): Promise<string> {
  const agent = (await person.agents()).find((each) => each.phone.replace(/\s/g, '') === phone)
  if (agent === undefined) throw new Error(`no agent has the phone ${phone}`)
  return agent.id
}
