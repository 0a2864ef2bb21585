import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { exportUser } from '#shared/account/account.operations.ts'
import { issuedAwb, paidOrder, signedUpPilgrim } from '#test/builders/pilgrim.builder.ts'
import { openBalancer } from '#test/kit/balancer.ts'
import type { Fault } from '#test/kit/control.ts'
import { deploymentsOrOne, startDeployment } from '#test/kit/deployments.ts'
import { eventually } from '#test/kit/eventually.ts'
import { isFull } from '#test/kit/full-run.ts'
import { metricsOf } from '#test/kit/metrics.ts'
import { createRandom, runSeed } from '#test/kit/random.ts'

/**
 * Messages while every fifth request to the SMS service fails and gateways are killed: none is sent twice, and none is
 * lost but those of which two sends had an unknown outcome, which the gateway knows. A killed gateway's lease ends after a
 * minute.
 */

const pilgrims = isFull ? 40 : 8
const kills = isFull ? 12 : 2
const wrong: readonly [Fault, ...Fault[]] = [
  { kind: 'lose-answer' },
  { kind: 'reset' },
  { kind: 'status', status: 503 },
  // Long enough for a kill during the call: the service then sends after the gateway has died.
  { kind: 'delay', delayMs: 2_000 },
]

it.concurrent.each(deploymentsOrOne('postgres'))(
  'are sent exactly once through faults and kills: $name',
  async (deployment) => {
    const random = createRandom(runSeed + deployment.gateways)
    const balancer = await openBalancer()
    const stack = await startDeployment(deployment, balancer.url, {
      MESSAGES_ENABLED: 'true',
      // Above the longest delay of the service.
      MESSAGES_QUIET_MS: '6000',
    })
    try {
      balancer.forwardTo(stack.gatewayUrls)
      const people = await Promise.all(Array.from({ length: pilgrims }, () => signedUpPilgrim(stack)))
      let isOver = false
      const failing = (async () => {
        while (!isOver) {
          await stack.control.setFault('messaging', { ...random.pick(wrong), probability: 0.2 })
          await delay(random.between(200, 800))
        }
        await stack.control.endFaults()
      })()
      const orders: number[] = []
      for (const pilgrim of people) orders.push(await paidOrder(stack, pilgrim))
      for (let kill = 0; kill < kills; kill += 1) {
        await delay(random.between(200, 1_500))
        const victim = random.between(0, stack.gatewayUrls.length - 1)
        await stack.killGateway('SIGKILL', victim)
        await stack.startGateway(victim)
      }
      await Promise.all(
        people.map(({ person }, index) => issuedAwb(person, orders[index] ?? 0, { withinMs: 240_000 })),
      )
      isOver = true
      await failing
      // What is still on its way is sent now.
      const messages = await eventually(
        async () => {
          const waiting = (await metricsOf(stack.gatewayUrls.slice(0, 1))).get(
            'amtiati_queue_length{queue="messages"}',
          )
          // Each message has been in the outbox since its airway bill was issued.
          if (waiting !== 0) throw new Error(`${waiting} waiting`)
          return stack.control.messages()
        },
        { withinMs: 300_000, everyMs: 500 },
      )
      const counts = new Map<string, number>()
      for (const { phone, text } of messages)
        counts.set(`${phone} ${text}`, (counts.get(`${phone} ${text}`) ?? 0) + 1)
      expect([...counts.values()].filter((count) => count !== 1)).toEqual([])
      let lost = 0
      for (const [index, { person, user }] of people.entries()) {
        const texts = messages.filter(({ phone }) => phone === user.phone).map(({ text }) => text)
        const [stored] = (await person.call(exportUser)).messages
        if (stored?.state === 'failed') lost += 1
        expect(texts).toEqual(
          stored?.state === 'failed' ? [] : [expect.stringContaining(`OD-${orders[index]}.`)],
        )
      }
      expect(lost).toBeLessThan(pilgrims / 2)
    } finally {
      await stack.close()
      await balancer.close()
    }
  },
)
