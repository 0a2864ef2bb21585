import { testCards } from '#mock/payment/payment.scenarios.ts'
import { createOrdersStore } from '#server/features/orders/orders.store.ts'
import { createPaymentsStore } from '#server/features/payments/payments.store.ts'
import { createPauses } from '#server/platform/database/pauses.ts'
import { hour, minute, second } from '#test/kit/clock.ts'
import { createRandom, type Random } from '#test/kit/random.ts'
import { newPhone, type Phone, type Seen } from './phone.ts'
import type { World } from './world.types.ts'

/** Somebody with a life of their own, who acts as people do: in a hurry, twice, and not to the end. */
export interface Person {
  readonly name: string
  live(): Promise<void>
}

/** Who lives in a world, drawn from its seed alone: leaving one out changes no other. */
export function people(world: World, seed: number): Person[] {
  const random = createRandom(seed ^ 0x5eed)
  const pilgrims = random.between(1, 3)
  return [
    ...Array.from({ length: pilgrims }, (_, index) => pilgrim(world, index, createRandom(seed * 31 + index))),
    courier(world, createRandom(seed * 31 + 10)),
    agent(world, createRandom(seed * 31 + 11)),
    operator(world, createRandom(seed * 31 + 12)),
  ]
}

const pilgrimNames = ['Maryam Al-Harbi', 'Yusuf Khan', 'Siti Rahmawati']

/** Signs in with a code, and again until it works or patience ends. */
async function signIn(
  world: World,
  phone: Phone,
  random: Random,
  { number, name, isAgent = false }: { number: string; name: string; isAgent?: boolean },
): Promise<number | undefined> {
  const [send, verify] = isAgent
    ? ['/api/auth/send-agent-otp', '/api/auth/verify-agent-otp']
    : ['/api/auth/request-otp', '/api/auth/verify-otp']
  for (let round = 0; round < 8; round += 1) {
    const asked = await phone.call('POST', send, { phone: number })
    if (asked?.status !== 200) {
      world.tell(name, `asks for a code and gets ${asked?.json?.code ?? 'no answer'}`)
      await world.wait(random.between(20, 90) * second)
      if (asked !== undefined) continue
    }
    await world.wait(random.between(2, 20) * second)
    const code = world.simulator.otp.inbox(number)[0]?.code
    if (code === undefined) continue
    if (random.chance(0.1))
      await phone.call('POST', verify, { phone: number, code: '0000', ...(!isAgent && { name }) })
    const answer = await phone.call('POST', verify, { phone: number, code, ...(!isAgent && { name }) })
    if (answer?.status === 200) {
      world.tell(name, 'is signed in')
      return isAgent ? answer.json.agent.id : answer.json.user.id
    }
    world.tell(name, `types the code and gets ${answer?.json?.code ?? 'no answer'}`)
    await world.wait(random.between(5, 70) * second)
  }
  return undefined
}

/** Cards that a pilgrim pays with; the usual one most often. */
const cards = testCards.map(({ number }) => number)

function pilgrim(world: World, index: number, random: Random): Person {
  const name = pilgrimNames[index] ?? 'Amina'
  const number = `+96655100000${index}`
  const phone = newPhone(world, name)
  const who = { number, name }

  /** Pays at the provider, whose page the phone reaches by itself. */
  async function payWith(secret: string): Promise<boolean> {
    const intention = world.simulator.payment.findByClientSecret(secret)
    if (intention === undefined) return false
    const card = random.chance(0.35) ? (cards[0] ?? '') : random.pick(cards as [string, ...string[]])
    const end = await world.atSimulator(() =>
      world.simulator.payments.pay(
        intention,
        { number: card, expiry: '01/39' },
        random.chance(0.9) ? 'passed' : 'failed',
      ),
    )
    world.tell(name, `pays with ${card}: ${end.kind}`)
    return end.kind === 'ended'
  }

  async function book(userId: number): Promise<void> {
    const centers = await phone.call('GET', '/api/partner/centers')
    const agents = await phone.call('GET', '/api/partner/agents')
    const center = centers?.json?.centers?.[0]
    const agentRow = agents?.json?.agents?.[random.between(0, 1)]
    if (!center || !agentRow) return
    const isRound = random.chance(0.3)
    const body = {
      userId,
      type: 'FROM_MINA',
      noOfPackages: 1,
      agentCode: agentRow.id,
      centerCode: center.code,
      amount: 50,
    }
    void isRound
    const key = crypto.randomUUID()
    let started: Seen | undefined
    for (let round = 0; round < 4 && started?.status !== 200; round += 1) {
      const press = () => phone.call('POST', '/api/checkout', body, { 'idempotency-key': key })
      const answers = random.chance(0.3) ? await Promise.all([press(), press()]) : [await press()]
      started = answers.find((answer) => answer?.status === 200) ?? answers[0]
      if (started?.status !== 200) {
        world.tell(name, `presses Pay and gets ${started?.json?.code ?? 'no answer'}`)
        await world.wait(random.between(1, 40) * second)
      }
    }
    if (started?.status !== 200) return
    const orderId: number = started.json.orderId
    world.tell(name, `has the form of OD-${orderId}`)
    await pay(orderId, started.json.clientSecret)
    await follow(userId, orderId)
  }

  async function pay(orderId: number, first: string): Promise<void> {
    let secret = first
    for (let round = 0; round < 4; round += 1) {
      await world.wait(random.between(1, 60) * second)
      if (random.chance(0.15)) {
        world.tell(name, 'goes away before paying')
        await world.wait(random.between(1, 90) * minute)
      }
      const payments = random.chance(0.15)
        ? await Promise.all([payWith(secret), payWith(secret)])
        : [await payWith(secret)]
      if (payments.includes(true) && random.chance(0.8)) return
      await world.wait(random.between(1, 60) * second)
      const order = await phone.call('GET', `/api/orders/${orderId}`)
      if (order?.status === 200) told(orderId, order)
      if (order?.json?.order?.status !== 'PENDING_PAYMENT') return
      const renewed = await phone.call(
        'POST',
        `/api/orders/${orderId}/payment`,
        random.chance(0.7) ? { clientSecret: secret, spent: true } : {},
      )
      if (renewed?.status !== 200) {
        world.tell(name, `asks for another form and gets ${renewed?.json?.code ?? 'no answer'}`)
        continue
      }
      if (renewed.json.clientSecret !== secret) world.tell(name, `has another form of OD-${orderId}`)
      secret = renewed.json.clientSecret
    }
  }

  const told = (orderId: number, { json }: Seen) => {
    if (json.order.status === 'PAID') world.notes.shownPaid.add(orderId)
  }

  /** Looks at the order from time to time, and sometimes cancels it or the account. */
  async function follow(userId: number, orderId: number): Promise<void> {
    const looks = random.between(2, 6)
    for (let look = 0; look < looks; look += 1) {
      await world.wait(random.between(2, 200) * second)
      const order = await phone.call('GET', `/api/orders/${orderId}`)
      if (order?.status === 200) told(orderId, order)
      if (random.chance(0.08)) {
        const answer = await phone.call('POST', `/api/orders/${orderId}/cancel`, undefined, {
          'idempotency-key': crypto.randomUUID(),
        })
        world.tell(name, `cancels OD-${orderId}: ${answer?.json?.code ?? answer?.status ?? 'no answer'}`)
      }
      if (random.chance(0.04)) {
        const isForfeit = random.chance(0.5)
        if (isForfeit) world.notes.forfeited.add(userId)
        const answer = await phone.call('DELETE', `/api/auth/user${isForfeit ? '?forfeit=1' : ''}`)
        world.tell(name, `deletes the account: ${answer?.json?.code ?? answer?.status ?? 'no answer'}`)
        if (answer?.status === 200) return
      }
    }
  }

  return {
    name,
    async live() {
      await world.wait(random.between(1, 600) * second)
      const userId = await signIn(world, phone, random, who)
      if (userId === undefined) return world.tell(name, 'gives up')
      const orders = random.between(1, 2)
      for (let count = 0; count < orders; count += 1) await book(userId)
      if (random.chance(0.3)) await phone.call('POST', '/api/auth/logout')
    },
  }
}

/** Scans what was made, in its order mostly, and says so in its own way. */
function courier(world: World, random: Random): Person {
  return {
    name: 'the courier',
    async live() {
      const rounds = random.between(5, 25)
      for (let round = 0; round < rounds; round += 1) {
        await world.wait(random.between(30, 400) * second)
        const shipments = world.simulator.shipping.listShipments()
        const shipment = shipments[random.between(0, Math.max(0, shipments.length - 1))]
        if (shipment === undefined || random.chance(0.4)) continue
        const { journeys, pushes } = world.simulator
        const scans = random.chance(0.03)
          ? // A scanner that is stuck.
            Array.from({ length: 310 }, (_, count) =>
              journeys.addScan(shipment, {
                code: 'ZZ',
                text: 'Scanned',
                time: new Date(world.reality.now() + (count + 10_800) * second).toISOString().slice(0, 19),
              }),
            )
          : journeys.advance(shipment, random.chance(0.06) ? 'exception' : undefined)
        if (scans === undefined) continue
        world.tell(
          'the courier',
          `scans ${shipment.awb}: ${scans.length > 9 ? `${scans.length} times` : scans.map(({ ScanType }) => ScanType).join(' ')}`,
        )
        const mode = random.pick([
          'send',
          'send',
          'send',
          'lose',
          'twice',
          'late',
          'shuffle',
          'forge',
        ] as const)
        await world.atSimulator(() => pushes.push(shipment, scans, { mode }))
      }
    },
  }
}

/** Takes bags from their owners, sometimes off line, twice, or by mistake. */
function agent(world: World, random: Random): Person {
  const name = 'an agent'
  const phone = newPhone(world, name)
  return {
    name,
    async live() {
      const id = await signIn(world, phone, random, { number: '+966500000101', name, isAgent: true })
      if (id === undefined) return
      const rounds = random.between(4, 20)
      for (let round = 0; round < rounds; round += 1) {
        await world.wait(random.between(20, 300) * second)
        const list = await phone.call('GET', `/api/orders/agent/${id}?state=waiting`)
        const bag = list?.json?.orders
          ?.flatMap((order: { bookings: { awb: string | null }[] }) => order.bookings)
          .find(({ awb }: { awb: string | null }) => awb !== null)
        if (!bag || random.chance(0.4)) continue
        const key = crypto.randomUUID()
        const receivedAt = new Date(world.reality.now()).toISOString()
        if (random.chance(0.2)) await world.wait(random.between(1, 30) * minute)
        const send = () =>
          phone.call(
            'POST',
            '/api/handovers',
            { awb: bag.awb, receivedAt, sentAt: new Date(world.reality.now()).toISOString() },
            { 'idempotency-key': key },
          )
        let answer: Seen | undefined
        for (let tries = 0; tries < 5 && answer === undefined; tries += 1) {
          answer = random.chance(0.2) ? (await Promise.all([send(), send()]))[0] : await send()
          if (answer === undefined) await world.wait(20 * second)
        }
        world.tell(name, `takes bag ${bag.awb}: ${answer?.json?.code ?? answer?.status ?? 'no answer'}`)
        if (answer?.status === 200) world.notes.handedOver.add(bag.awb)
        if (random.chance(0.2)) {
          await world.wait(random.between(1, 12) * minute)
          const undone = await phone.call('DELETE', `/api/handovers/${bag.awb}`)
          world.tell(name, `undoes bag ${bag.awb}: ${undone?.json?.code ?? undone?.status ?? 'no answer'}`)
        }
      }
    },
  }
}

/** Pauses work and lets it go on, and in the end helps whatever waits for a person. */
function operator(world: World, random: Random): Person {
  const name = 'the operator'
  return {
    name,
    async live() {
      if (random.chance(0.3)) {
        await world.wait(random.between(1, 20) * minute)
        const worker = random.pick(['shipments', 'inquiries', 'refunds', 'messages', 'tracking'])
        await world.asOperator((database) => createPauses(database).pause([worker], world.reality.now()))
        world.tell(name, `pauses ${worker}`)
        await world.wait(random.between(1, 10) * minute)
        await world.asOperator((database) => createPauses(database).resume([worker]))
        world.tell(name, `lets ${worker} go on`)
      }
      // `npm run ops -- stuck`, with `retry` and a day later `refund` for what it lists.
      for (let round = 0; round < 4; round += 1) {
        await world.wait(25 * minute)
        await world.asOperator(async (database) => {
          const store = createOrdersStore(database)
          for (const { order_id, stopped_at } of await store.listOverdue(0, 100))
            if (stopped_at !== null)
              for (const reference of await store.permitCreation(order_id))
                world.tell(name, `allows another creation of ${reference}`)
        })
      }
      if (world.notes.forgotten.size === 0) return
      await world.sleep(26 * hour)
      await world.asOperator(async (database) => {
        const store = createPaymentsStore(database)
        for (const { id, transaction_id } of await store.listOverdueRefunds(world.reality.now(), 100))
          if (await store.hastenRefund(id)) world.tell(name, `orders the refund of ${transaction_id} again`)
      })
      await world.wait(minute)
    },
  }
}
