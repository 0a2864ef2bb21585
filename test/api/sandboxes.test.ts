import { afterAll, beforeAll, expect, it } from 'vitest'
import { issuedAwb, type Pilgrim, paidOrder } from '#test/builders/pilgrim.builder.ts'
import { type SandboxFixtures, sandboxFixtures } from '#test/fixtures/playwright.ts'
import type { Sandbox } from '#test/fixtures/sandbox.ts'
import { ownStack } from '#test/kit/in-process.ts'
import { newPerson } from '#test/kit/person.ts'
import type { Stack } from '#test/kit/stack.ts'

/** Two testers at one stack, each in a sandbox: the fixtures that a Playwright worker uses, run here without a browser. */

let stack: Stack

beforeAll(async () => {
  stack = await ownStack()
})
afterAll(() => stack?.close())

/** Runs `work` as a test of the worker with this number. */
function asWorker(
  parallelIndex: number,
  work: (sandbox: SandboxFixtures['sandbox']) => Promise<void>,
): Promise<void> {
  const [fixture, { scope }] = sandboxFixtures(stack.mockUrl).sandbox
  expect(scope).toBe('worker')
  return fixture({}, work, { parallelIndex })
}

/** Signs up with the fixed code of the phone: the inbox is not read. */
async function signedUp(sandbox: Sandbox): Promise<Pilgrim> {
  const person = newPerson({
    ...stack,
    control: { ...stack.control, codeFor: async (phone) => sandbox.codeOf(phone) },
  })
  return { person, user: await person.signUp(sandbox.newPhone(), 'Sandra Tester') }
}

it('workers side by side do not disturb each other, also where the gateway works in the background', async () => {
  const both = { faulty: Promise.withResolvers<void>(), done: Promise.withResolvers<void>() }

  const first = asWorker(0, async (sandbox) => {
    const pilgrim = await signedUp(sandbox)
    await sandbox.control.setFault('shipping', { kind: 'status', status: 503 })
    await sandbox.control.setFault('otp', { kind: 'status', status: 500 })
    const orderId = await paidOrder(stack, pilgrim)
    both.faulty.resolve()
    const refused = await newPerson(stack).send('POST', '/api/auth/request-otp', {
      body: { phone: sandbox.newPhone() },
    })
    expect(refused.status).toBe(503)
    await both.done.promise
    // The other worker's airway bill is long there, and this one is not.
    expect((await pilgrim.person.order(orderId)).bookings[0]?.awb).toBeNull()
    expect(await sandbox.control.faults()).toMatchObject({ shipping: { status: 503 }, otp: { status: 500 } })
  })

  const second = asWorker(1, async (sandbox) => {
    await both.faulty.promise
    const pilgrim = await signedUp(sandbox)
    const orderId = await paidOrder(stack, pilgrim)
    await issuedAwb(pilgrim.person, orderId)
    expect(await sandbox.control.faults()).toEqual({})
    await sandbox.control.endFaults()
    both.done.resolve()
  })

  await Promise.all([first, second])
  await expect(stack.control.endSandbox('worker-0')).rejects.toThrow(/404/)
})
