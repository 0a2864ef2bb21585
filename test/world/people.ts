import { operationHref } from '#client/platform/operation-href.ts'
import { isPaid, isStanding, type TransactionRecord } from '#mock/payment/payment.records.ts'
import { orderNumberOf } from '#mock/payment/payment.references.ts'
import { testCards } from '#mock/payment/payment.scenarios.ts'
import type { ShipmentRecord } from '#mock/shipping/shipping.state.ts'
import type { Core } from '#server/core.ts'
import { approve, refuse } from '#server/desk/actions/decisions.ts'
import { actOnOrder, addNote, orderActs } from '#server/desk/actions/order-acts.ts'
import { listOverdueBookings, permitCreation } from '#server/features/orders/bookings.queries.ts'
import { findStoredList } from '#server/features/partner/partner.queries.ts'
import type { ListKind } from '#server/features/partner/partner-lists.ts'
import { listOverdueRefunds, scheduleRefundNow } from '#server/features/payments/refunds.queries.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createPauses } from '#server/platform/database/pauses.ts'
import { isFailure } from '#server/platform/errors.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { StaffRequest } from '#server/platform/staff-request.ts'
import { deleteUser } from '#shared/account/account.operations.ts'
import { checkout } from '#shared/checkout/checkout.operations.ts'
import { openClaim, withdrawClaim, writeToClaim } from '#shared/claims/claims.operations.ts'
import type { ActAnswer } from '#shared/desk/actions/actions.schemas.ts'
import {
  readHandoverPhoto,
  recordHandover,
  refusalReasons,
  refuseBag,
  storeHandoverPhoto,
  undoHandover,
} from '#shared/orders/handovers.operations.ts'
import { orderNumber } from '#shared/orders/order-number.ts'
import {
  cancelOrder,
  changeReceiver,
  listAgentOrders,
  readOrder,
  renewPayment,
} from '#shared/orders/orders.operations.ts'
import type { OrderStatus } from '#shared/orders/orders.schemas.ts'
import { listAgents, listCenters } from '#shared/partner/partner.operations.ts'
import type { CodeChannel } from '#shared/platform/code-channels.ts'
import { isoOf } from '#shared/platform/instant.ts'
import type { StaffRole } from '#shared/platform/staff-roles.ts'
import { askConfirmation, verifyConfirmation } from '#shared/sessions/confirmations.operations.ts'
import type { ConfirmationPurpose } from '#shared/sessions/confirmations.schemas.ts'
import * as emails from '#shared/sessions/emails.operations.ts'
import * as sessions from '#shared/sessions/sessions.operations.ts'
import type { NewStop } from '#shared/stops/stops.schemas.ts'
import { hour, minute, second } from '#test/kit/basics/clock.ts'
import { createRandom, type Random } from '#test/kit/basics/random.ts'
import { photoOfBag } from '#test/kit/client/photo.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { stopSales } from '#test/kit/orders/stops.ts'
import { newVisitor, noAnswer, type Visitor } from './visitor.ts'
import { roughMs } from './weather.ts'
import type { World } from './world.types.ts'

/** Acts as people do: in a hurry, twice, and not to the end. */
export interface Person {
  readonly name: string
  live(): Promise<void>
}

/**
 * Who lives in a world, drawn from its seed alone: leaving one out changes no other.
 * @param bags how many bags groups bring to the agent, with a picture each; undefined for a world of single pilgrims
 */
export function people(world: World, seed: number, bags: number | undefined): Person[] {
  const random = createRandom(seed ^ 0x5eed)
  const pilgrims = random.between(1, 3)
  const customers = Array.from({ length: pilgrims }, (_, index) => {
    const own = createRandom(seed * 31 + index)
    if (bags === undefined) return pilgrim(world, index, own)
    return groupLeader(world, index, Math.ceil((bags + spareBags) / pilgrims), own)
  })
  const hasRecovery = random.chance(0.4) && bags === undefined
  return [
    ...customers,
    courier(world, createRandom(seed * 31 + 10)),
    agent(world, createRandom(seed * 31 + 11), bags),
    operator(world, createRandom(seed * 31 + 12)),
    ...(hasRecovery ? pilgrimWithoutSim(world, createRandom(seed * 31 + 13)) : []),
    seller(world, createRandom(seed * 31 + 14)),
    desk(world, createRandom(seed * 31 + 15)),
    bookkeeper(world, createRandom(seed * 31 + 16)),
  ]
}

const isNumber = (value: number | undefined): value is number => value !== undefined

/** In a story, of what was not refused. */
export const done = 'done'

/** The first is shorter than the courier takes. */
const receiverNames = ['Ali', 'Huda Salem', 'Omar Idris'] as const
/** How the phones of receivers begin. */
export const receiverPhones = '+966552'

/** The last one tries to write to the receivers. */
const pilgrimNames = ['Maryam Al-Harbi', 'Yusuf Khan', 'Siti evil.com 4821']

/** Texts of the people of a world that an event may hold only where erasure finds them: names, numbers and sentences. */
export const personalTexts = [
  ...receiverNames.slice(1),
  ...pilgrimNames,
  '+966',
  'My bag has a mark.',
  'Is there any news?',
  'the bag was lost',
] as const

/** The number of a pilgrim; that of every third one gets no SMS (mock-partner/otp/otp.scenarios.ts). */
const numberOf = (index: number) => (index === 2 ? `+96650071000${index}` : `+96655100000${index}`)

/** Confirms a request with a code to the number, and asks for a second code when the first one fails. */
async function confirm(
  world: World,
  visitor: Visitor,
  random: Random,
  { number, name }: { readonly number: string; readonly name: string },
  purpose: ConfirmationPurpose,
): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await visitor.call(askConfirmation, { body: { purpose } })
    await world.wait(random.between(5, 40) * second)
    const typed = world.simulator.otp.inbox(number)[0]?.code ?? '0000'
    world.notes.typed.add(`${number} ${typed}`)
    const { code } = await visitor.call(verifyConfirmation, { body: { code: typed } })
    world.tell(name, `confirms ${purpose}: ${code ?? done}`)
    if (code === undefined) return
    await world.wait(random.between(40, 90) * second)
  }
}

/** Signs in with a code, and again until it works or patience ends. `neighbour`: a number that is typed by mistake. */
async function signIn(
  world: World,
  visitor: Visitor,
  random: Random,
  {
    number,
    name,
    neighbour,
    isAgent = false,
  }: { number: string; name: string; neighbour?: string; isAgent?: boolean },
): Promise<number | undefined> {
  let channel: CodeChannel = 'sms'
  const ask = () =>
    visitor.call(isAgent ? sessions.sendAgentOtp : sessions.requestOtp, { body: { phone: number, channel } })
  /** The code does not come: another way is chosen, once it is offered. */
  async function chooseAnother(channels: readonly CodeChannel[] = []): Promise<void> {
    const others = channels.filter((other) => other !== channel)
    const [first, ...rest] = others
    if (first === undefined) return
    await world.wait(20 * second)
    const { answer } = await visitor.call(sessions.readDelivery)
    if (answer?.state !== 'undelivered') await world.wait(10 * second)
    channel = random.pick([first, ...rest])
    world.tell(name, `gets no code (${answer?.state}) and chooses ${channel}`)
  }
  const type = async (code: string, phone = number) => {
    world.notes.typed.add(`${phone} ${code}`)
    const body = { phone, code }
    if (!isAgent) {
      const { answer, code: refusal } = await visitor.call(sessions.verifyOtp, { body: { ...body, name } })
      return { id: answer?.user.id, refusal }
    }
    const { answer, code: refusal } = await visitor.call(sessions.verifyAgentOtp, { body })
    return { id: answer?.agent.id, refusal }
  }
  for (let round = 0; round < 8; round += 1) {
    const { answer: asked, code: refusal } = await ask()
    if (refusal !== undefined) {
      world.tell(name, `asks for a code and gets ${refusal}`)
      await world.wait(random.between(20, 90) * second)
      // The code may have been sent all the same.
      if (refusal !== noAnswer) continue
    }
    await world.wait(random.between(2, 20) * second)
    const code = world.simulator.otp.inbox(number)[0]?.code
    if (code === undefined) {
      await chooseAnother(asked?.channels)
      continue
    }
    if (neighbour !== undefined && random.chance(0.1)) {
      const wrong = await type(code, neighbour)
      world.tell(name, `types the code for ${neighbour} and gets ${wrong.refusal}`)
    }
    if (random.chance(0.1)) await type('0000')
    const typed = await type(code)
    if (typed.id !== undefined) {
      world.tell(name, 'is signed in')
      return typed.id
    }
    world.tell(name, `types the code and gets ${typed.refusal}`)
    await world.wait(random.between(5, 70) * second)
  }
  return undefined
}

/** Cards that a pilgrim pays with; the usual one most often. */
const cards = testCards.map(({ number }) => number)

function pilgrim(world: World, index: number, random: Random): Person {
  const name = pilgrimNames[index] ?? 'Amina'
  const number = numberOf(index)
  const visitor = newVisitor(world, name)
  const who = { number, name, neighbour: numberOf((index + 1) % pilgrimNames.length) }

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

  const newReceiver = () => ({
    name: random.pick(receiverNames),
    ...(random.chance(0.8) ? { phone: `${receiverPhones}00000${random.between(0, 3)}` } : {}),
  })

  /** What the order says from now on, where that was answered. */
  function noteReceiver(orderId: number, receiver: { name: string; phone?: string } | null): void {
    const { collectors } = world.notes
    // A call without an answer may still come after this one.
    if (collectors.has(orderId) && collectors.get(orderId) === undefined) return
    collectors.set(orderId, { name: receiver?.name ?? name, phone: receiver?.phone ?? number })
  }

  /** Names another person to collect the bag, or none, also when it is too late. */
  async function changeMind(orderId: number): Promise<void> {
    const receiver = random.chance(0.25) ? null : newReceiver()
    const { code } = await visitor.call(changeReceiver, {
      params: { id: String(orderId) },
      body: { receiver },
    })
    world.tell(
      name,
      `names ${receiver?.name ?? 'no one'} to collect ${orderNumber(orderId)}: ${code ?? done}`,
    )
    if (code === undefined) return noteReceiver(orderId, receiver)
    // A call that arrives twice may be done the first time, and refused the second.
    const isRefused = code === 'RECEIVER_PRINTED' || code === 'ORDER_ENDED'
    const { answer } = isRefused
      ? await visitor.call(readOrder, { params: { id: String(orderId) } })
      : { answer: undefined }
    if (answer) noteReceiver(orderId, answer.order.receiver ?? null)
    else world.notes.collectors.set(orderId, undefined)
  }

  /** A request for one bag or two, at times with a receiver; undefined while the lists are not known. */
  async function drawOffer(userId: number) {
    const { answer: branches } = await visitor.call(listCenters)
    const { answer: partner } = await visitor.call(listAgents)
    const center = branches?.centers[0]
    const agentRow = partner?.agents[random.between(0, 1)]
    if (!center || !agentRow) return undefined
    const receiver = random.chance(0.4) ? newReceiver() : undefined
    const hasTwoBags = random.chance(0.25)
    return {
      ...(receiver && { receiver }),
      userId,
      type: hasTwoBags ? ('TO_AND_FROM_MINA' as const) : ('FROM_MINA' as const),
      noOfPackages: 1,
      amount: hasTwoBags ? 100 : 50,
      agentCode: agentRow.id,
      centerCode: center.code,
    }
  }

  /** Presses Pay, at times twice at once, until there is an order or patience ends. */
  async function begin<A>(
    press: () => Promise<{ readonly answer?: A | undefined; readonly code?: string | undefined }>,
  ) {
    for (let round = 0; round < 4; round += 1) {
      const answers = random.chance(0.3) ? await Promise.all([press(), press()]) : [await press()]
      const begun = answers.find(({ answer }) => answer !== undefined)?.answer
      if (begun) return begun
      world.tell(name, `presses Pay and gets ${answers[0]?.code}`)
      await world.wait(random.between(1, 40) * second)
    }
    return undefined
  }

  /** Resolves with the number of the order, once there is one. */
  async function book(userId: number): Promise<number | undefined> {
    const body = await drawOffer(userId)
    if (body === undefined) return undefined
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const press = () => visitor.call(checkout, { body, headers })
    const begun = await begin(press)
    if (begun === undefined) return undefined
    const { orderId, clientSecret } = begun
    world.tell(name, `has the form of ${orderNumber(orderId)}`)
    noteReceiver(orderId, body.receiver ?? null)
    if (index === 0 && world.store.givesNotices) void watch(orderId)
    // The tab was closed and opened again: the same order, also where nothing is sold meanwhile.
    if (random.chance(0.2)) noteStop(orderId, (await press()).code)
    await pay(orderId, clientSecret)
    await follow(userId, orderId)
    return orderId
  }

  /** A stop is of no concern to an order that exists. */
  function noteStop(orderId: number, code: string | undefined): void {
    if (code === 'SALES_STOPPED') world.notes.strayStops.push(orderNumber(orderId))
  }

  /** Keeps the stream of the order open, as its page does, for as long as there is one. */
  async function watch(orderId: number): Promise<void> {
    const { streams } = world.notes
    let notices = 0
    for (;;) {
      const stream = await visitor.follow(`/api/orders/${orderId}/events`)
      if (stream !== undefined && stream.status !== 200) return
      for (let said = await stream?.next(); said?.event === 'changed'; said = await stream?.next()) {
        notices += 1
        streams.set(orderId, notices)
      }
      streams.delete(orderId)
      await world.wait(3 * second)
    }
  }

  /** Reads the order, as its page does. */
  async function look(orderId: number): Promise<OrderStatus | undefined> {
    const { answer } = await visitor.call(readOrder, { params: { id: String(orderId) } })
    if (answer?.order.status === 'PAID') world.notes.shownPaid.add(orderId)
    return answer?.order.status
  }

  /** Another form, or the same one when there is none. */
  async function renew(orderId: number, secret: string | undefined): Promise<string | undefined> {
    const { answer, code } = await visitor.call(renewPayment, {
      params: { id: String(orderId) },
      body: secret !== undefined && random.chance(0.7) ? { clientSecret: secret, spent: true } : {},
    })
    noteStop(orderId, code)
    if (answer === undefined) {
      world.tell(name, `asks for another form and gets ${code}`)
      return secret
    }
    if (answer.clientSecret !== secret) world.tell(name, `has another form of ${orderNumber(orderId)}`)
    return answer.clientSecret
  }

  /** Pays with a form, at times twice at once. @returns true for who has paid and does not come back to the page */
  async function submit(orderId: number, form: string): Promise<boolean> {
    const payments = random.chance(0.15)
      ? await Promise.all([payWith(form), payWith(form)])
      : [await payWith(form)]
    // While the courier is asked.
    if (random.chance(0.3)) await changeMind(orderId)
    if (payments.includes(true) && random.chance(0.5)) return true
    await world.wait(random.between(1, 60) * second)
    return false
  }

  /** @param first undefined for who returns to an order that is not paid */
  async function pay(orderId: number, first?: string): Promise<void> {
    let secret = first
    for (let round = 0; round < 4; round += 1) {
      await world.wait(random.between(1, 60) * second)
      if (random.chance(0.15)) {
        world.tell(name, 'goes away before paying')
        await world.wait(random.between(1, 90) * minute)
      }
      if (secret !== undefined && (await submit(orderId, secret))) return
      if ((await look(orderId)) !== 'PENDING_PAYMENT') return
      secret = await renew(orderId, secret)
    }
  }

  /** Reports a problem with the bag, pressing twice at times, and writes again or withdraws it. */
  async function report(orderId: number): Promise<void> {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const body = { kind: 'other' as const, text: 'My bag has a mark.' }
    const press = () => visitor.call(openClaim, { params: { id: String(orderId) }, headers, body })
    const [first, ...more] = random.chance(0.4) ? await Promise.all([press(), press()]) : [await press()]
    const opened = [first, ...more].find((each) => each?.answer !== undefined)?.answer?.claim
    world.tell(name, `reports a problem with ${orderNumber(orderId)}: ${opened?.number ?? first?.code}`)
    if (opened === undefined) return
    world.notes.claims.add(`${opened.claimId} claim-opened`)
    await world.wait(random.between(5, 100) * second)
    const params = { claimId: String(opened.claimId) }
    const withdraws = random.chance(0.5)
    const { code, answer } = withdraws
      ? await visitor.call(withdrawClaim, { params })
      : await visitor.call(writeToClaim, { params, body: { text: 'Is there any news?' } })
    if (answer !== undefined)
      world.notes.claims.add(`${opened.claimId} ${withdraws ? 'claim-closed' : 'claim-message'}`)
    world.tell(name, `goes on with ${opened.number}: ${code ?? done}`)
  }

  async function cancel(orderId: number): Promise<void> {
    const { code } = await visitor.call(cancelOrder, {
      params: { id: String(orderId) },
      headers: { 'idempotency-key': crypto.randomUUID() },
    })
    world.tell(name, `cancels ${orderNumber(orderId)}: ${code ?? done}`)
  }

  /** Deletes the account. @returns false when that was refused */
  async function leave(userId: number): Promise<boolean> {
    const isForfeit = random.chance(0.5)
    if (isForfeit) world.notes.forfeited.add(userId)
    await confirm(world, visitor, random, who, 'deletion')
    const { code } = await visitor.call(deleteUser, isForfeit ? { query: { forfeit: '1' } } : {})
    world.tell(name, `deletes the account: ${code ?? done}`)
    return code === undefined
  }

  async function act(orderId: number): Promise<void> {
    if (random.chance(0.15)) await changeMind(orderId)
    if (random.chance(0.12)) await report(orderId)
    if (random.chance(0.08)) await cancel(orderId)
  }

  /** Looks at the order from time to time, and sometimes cancels it or the account. */
  async function follow(userId: number, orderId: number): Promise<void> {
    const looks = random.between(2, 6)
    for (let count = 0; count < looks; count += 1) {
      await world.wait(random.between(2, 200) * second)
      if ((await look(orderId)) === 'PENDING_PAYMENT' && random.chance(0.7)) await pay(orderId)
      await act(orderId)
      if (random.chance(0.04) && (await leave(userId))) return
    }
  }

  return {
    name,
    async live() {
      await world.wait(random.between(1, 600) * second)
      const userId = await signIn(world, visitor, random, who)
      if (userId === undefined) return world.tell(name, 'gives up')
      const orders = random.between(1, 2)
      const booked: number[] = []
      for (let count = 0; count < orders; count += 1) booked.push(...[await book(userId)].filter(isNumber))
      // By then it may be handed over, returned, or its refund written off.
      if (random.chance(0.3)) {
        await world.wait(random.between(2, 15) * minute)
        for (const orderId of booked) await cancel(orderId)
      }
      if (random.chance(0.3)) await visitor.call(sessions.logout)
    },
  }
}

/**
 * Orders one bag and pays it with a good card, so that messages of the order are under way.
 * @returns the order, once it is paid
 */
async function bookOneBag(
  world: World,
  visitor: Visitor,
  name: string,
  userId: number,
): Promise<number | undefined> {
  const { answer: branches } = await visitor.call(listCenters)
  const { answer: partner } = await visitor.call(listAgents)
  const center = branches?.centers[0]
  const agentRow = partner?.agents[0]
  if (!center || !agentRow) return undefined
  const { answer, code } = await visitor.call(checkout, {
    body: {
      userId,
      type: 'FROM_MINA',
      noOfPackages: 1,
      amount: 50,
      agentCode: agentRow.id,
      centerCode: center.code,
    },
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  const intention = answer && world.simulator.payment.findByClientSecret(answer.clientSecret)
  if (!intention) {
    world.tell(name, `gets no form: ${code}`)
    return undefined
  }
  const card = { number: cards[0] ?? '', expiry: '01/39' }
  const end = await world.atSimulator(() => world.simulator.payments.pay(intention, card, 'passed'))
  world.tell(name, `pays ${orderNumber(answer.orderId)}: ${end.kind}`)
  return end.kind === 'ended' ? answer.orderId : undefined
}

/** Groups book this many more bags than are counted, because the desk cancels some and some hand-overs are undone. */
const spareBags = 10

/** When the counter of the groups closes, after the beginning of the world. Its bags are counted then. */
const counterMs = roughMs + 3 * hour

/** Books the bags of a group, and in the evening looks at the picture of each. */
function groupLeader(world: World, index: number, bags: number, random: Random): Person {
  const name = pilgrimNames[index] ?? 'Amina'
  const visitor = newVisitor(world, name)

  async function lookAtPictures(orderId: number): Promise<void> {
    const { answer } = await visitor.call(readOrder, { params: { id: String(orderId) } })
    for (const { awb, photo } of answer?.order.bookings ?? []) {
      if (awb === null || !photo) continue
      const path = operationHref(readHandoverPhoto, { id: String(orderId), awb })
      world.notes.seenPictures.set(awb, await visitor.readPicture(path))
    }
  }

  return {
    name,
    async live() {
      const evening = world.reality.now() + counterMs + hour
      await world.wait(random.between(1, 30) * second)
      const who = { number: `+96655110000${index}`, name }
      const userId = await signIn(world, visitor, random, who)
      if (userId === undefined) return world.tell(name, 'gives up')
      const orderIds: number[] = []
      while (orderIds.length < bags && world.reality.now() < evening) {
        orderIds.push(...[await bookOneBag(world, visitor, name, userId)].filter(isNumber))
        await world.wait(random.between(1, 20) * second)
      }
      await world.sleep(evening - world.reality.now())
      for (const orderId of orderIds) await lookAtPictures(orderId)
    },
  }
}

/**
 * A pilgrim whose SIM is gone after the address was proven, and a thief who wants the account: with a phone of the thief's own
 * and no mailbox, or with the mailbox and no phone.
 */
function pilgrimWithoutSim(world: World, random: Random): Person[] {
  const [name, email] = ['Hajar Idris', 'hajar@example.com']
  /** The code in an inbox, or a guess of who cannot read it. */
  const codeTo = (to: string, isRead = true) =>
    (isRead ? world.simulator.otp.inbox(to)[0]?.code : undefined) ?? '0000'

  /** Asks for both codes and types them until the account has the new number, or patience ends. */
  async function recover(
    who: string,
    phone: string,
    read: { phone: boolean; email: boolean },
  ): Promise<boolean> {
    const visitor = newVisitor(world, who)
    for (let round = 0; round < 5; round += 1) {
      const { code: refusal } = await visitor.call(emails.recoverAccount, { body: { email, phone } })
      await world.wait(random.between(5, 40) * second)
      if (refusal !== undefined && refusal !== noAnswer) {
        world.tell(who, `asks for two codes and gets ${refusal}`)
        continue
      }
      const body = {
        emailCode: codeTo(email, read.email),
        phoneCode: codeTo(phone, read.phone),
      }
      world.notes.typed.add(`${email} ${body.emailCode}`).add(`${phone} ${body.phoneCode}`)
      const { answer, code } = await visitor.call(emails.verifyRecovery, { body })
      world.tell(who, `types two codes: ${code ?? done}`)
      if (answer) return true
      await world.wait(random.between(40, 90) * second)
    }
    return false
  }

  const own: Person = {
    name,
    async live() {
      await world.wait(random.between(1, 200) * second)
      const visitor = newVisitor(world, name)
      const who = { number: '+966551000007', name }
      const userId = await signIn(world, visitor, random, who)
      if (userId === undefined) return
      for (let round = 0; round < 3; round += 1) {
        await confirm(world, visitor, random, who, 'email')
        await visitor.call(emails.addEmail, { body: { email } })
        await world.wait(random.between(5, 70) * second)
        const typed = codeTo(email)
        world.notes.typed.add(`${email} ${typed}`)
        const { code } = await visitor.call(emails.verifyEmail, { body: { code: typed } })
        world.tell(name, `proves an address: ${code ?? done}`)
        if (code === undefined) break
      }
      // No world lasts a day: its address was proven the day before, or, at times, too late to recover the account.
      if (random.chance(0.8)) {
        await world.store.read(
          `UPDATE events SET at = at - ${24 * hour} WHERE kind = 'account-changed' AND data LIKE '%"email-%'
             AND user_id IN (SELECT id FROM users WHERE email = '${email}') RETURNING id`,
        )
        await world.store.read(
          `UPDATE users SET email_recovers_from = email_recovers_from - ${24 * hour} WHERE email = '${email}' RETURNING id`,
        )
      }
      if (random.chance(0.7)) {
        // Messages of the order wait for the SMS service while the account gets its new number.
        if (random.chance(0.5)) world.interrupt('/messaging/', random.between(2, 12) * minute)
        await bookOneBag(world, visitor, name, userId)
      }
      await world.wait(random.between(1, 600) * second)
      await recover(name, '+966551000008', { phone: true, email: true })
    },
  }
  const thief: Person = {
    name: 'a thief',
    async live() {
      await world.wait(random.between(300, 1_200) * second)
      const hasPhone = random.chance(0.5)
      await recover('a thief', '+966551000009', { phone: hasPhone, email: !hasPhone })
    },
  }
  return [own, thief]
}

/** Times of scans of an earlier parcel with the same airway bill number, and times that cannot be. */
const foreignTimes = [
  '2024-06-20T10:00:00',
  '0001-01-01T00:00:00',
  '2019-12-31T23:00:00',
  '2027-02-30T10:00:00',
] as const

/** Scans what was made, in its order mostly, and says so in its own way. */
function courier(world: World, random: Random): Person {
  const { journeys, pushes, shipping } = world.simulator

  /** A scanner that repeats its scan. */
  const repeatedScans = (shipment: ShipmentRecord) =>
    Array.from({ length: 310 }, (_, count) =>
      journeys.addScan(shipment, {
        code: 'ZZ',
        text: 'Scanned',
        time: new Date(world.reality.now() + (count + 10_800) * second).toISOString().slice(0, 19),
      }),
    )

  function foreignScans(shipment: ShipmentRecord) {
    const scan = journeys.addScan(shipment, {
      code: random.pick(['DL', 'PU', 'CC', 'CAN'] as const),
      time: random.pick(foreignTimes),
    })
    world.notes.foreignScans.add(scan)
    return [scan]
  }

  function scansOf(shipment: ShipmentRecord) {
    const drawn = random.between(0, 99)
    if (drawn < 3) return repeatedScans(shipment)
    if (drawn < 11) return foreignScans(shipment)
    // A bag leaves its branch, or arrives there, once more.
    const again = drawn % 2 === 0 ? 'in-transit' : 'at-branch'
    const next = drawn < 25 ? again : undefined
    return journeys.advance(shipment, random.chance(0.06) ? 'exception' : next)
  }

  async function scan(shipment: ShipmentRecord): Promise<void> {
    const scans = scansOf(shipment)
    if (scans === undefined) return
    const codes = scans.length > 9 ? `${scans.length} times` : scans.map(({ ScanType }) => ScanType).join(' ')
    world.tell('the courier', `scans ${shipment.awb}: ${codes}`)
    const mode = random.pick(['send', 'send', 'send', 'lose', 'twice', 'late', 'shuffle', 'forge'] as const)
    await world.atSimulator(() => pushes.push(shipment, scans, { mode }))
  }

  return {
    name: 'the courier',
    async live() {
      const rounds = random.between(5, 25)
      for (let round = 0; round < rounds; round += 1) {
        await world.wait(random.between(30, 400) * second)
        const shipments = shipping.listShipments()
        const shipment = shipments[random.between(0, Math.max(0, shipments.length - 1))]
        if (shipment !== undefined && !random.chance(0.4)) await scan(shipment)
      }
    },
  }
}

/** Answers after which a phone keeps a picture and sends it again. */
const passing = [
  noAnswer,
  'TOO_MANY_CALLS',
  'STORAGE_UNAVAILABLE',
  'OVERLOADED',
  'CLOSING',
  'AGENTS_UNAVAILABLE',
]

/** A hand-over that was confirmed on the phone. */
interface Confirmation {
  readonly awb: string
  readonly key: string
  readonly receivedAt: string
}

/** The agent of a full counter is this many times as quick, so that all bags come before the last fault. */
const hasteAtFullCounter = 8

/**
 * Takes bags from their owners, sometimes off line, twice, or by mistake, and does not accept some. Half of the pictures wait
 * on the phone for a connection.
 * @param bags the agent goes on until so many bags have a picture, half of them taken off line
 */
function agent(world: World, random: Random, bags: number | undefined): Person {
  const name = 'an agent'
  const visitor = newVisitor(world, name)
  const { pictured } = world.notes
  const pause = (from: number, to: number) =>
    world.wait(Math.round(random.between(from, to) / (bags === undefined ? 1 : hasteAtFullCounter)))

  /** Sends until there is an answer, sometimes twice at once. */
  async function insist(send: () => Promise<{ readonly code?: string | undefined }>) {
    let code: string | undefined = noAnswer
    for (let tries = 0; tries < 5 && code === noAnswer; tries += 1) {
      const [first] = random.chance(0.2) ? await Promise.all([send(), send()]) : [await send()]
      code = first.code
      if (code === noAnswer) await world.wait(20 * second)
    }
    return code
  }

  /** The same until an answer is final, as a phone sends what it keeps. */
  async function outlast(send: () => Promise<{ readonly code?: string | undefined }>) {
    let code: string | undefined = noAnswer
    for (let tries = 0; tries < 12 && passing.some((each) => each === code); tries += 1) {
      code = await insist(send)
      if (code !== undefined) await world.wait(random.between(20, 70) * second)
    }
    return code
  }

  /** Pictures that wait on the phone, by their airway bills, and whether the bag was taken off line. */
  const kept = new Map<string, 'at once' | 'later'>()

  /** Sends the pictures that wait, until each has an answer. */
  async function sendPictures(): Promise<void> {
    for (const [awb, when] of kept) {
      const path = operationHref(storeHandoverPhoto, { awb })
      const code = await outlast(() => visitor.sendPicture(path, photoOfBag(awb)))
      kept.delete(awb)
      world.tell(name, `sends the picture of bag ${awb}, ${when}: ${code ?? done}`)
      if (code === undefined) pictured.set(awb, when)
      else world.notes.refusedPictures.set(awb, code)
    }
  }

  /** Returns at most `most` waiting bags of the agent's list. One bag of an order can be received already. */
  async function findBags(agentId: number, most: number): Promise<string[]> {
    const { answer: list } = await visitor.call(listAgentOrders, {
      params: { agentId: String(agentId) },
      query: { state: 'waiting' },
    })
    const found = (list?.orders ?? []).flatMap(({ bookings }) => bookings).flatMap(({ awb }) => awb ?? [])
    const first = random.between(0, Math.max(0, Math.min(found.length, 2) - 1))
    return found.slice(first, first + most)
  }

  async function turnDown(awb: string): Promise<void> {
    const key = crypto.randomUUID()
    const body = { awb, reason: random.pick(refusalReasons) }
    const headers = { 'idempotency-key': key }
    const code = await insist(() => visitor.call(refuseBag, { body, headers }))
    world.tell(name, `does not accept bag ${awb} (${body.reason}): ${code ?? done}`)
    if (code === undefined) world.notes.notAccepted.set(key, awb)
  }

  async function record({ awb, key, receivedAt }: Confirmation, when: 'at once' | 'later'): Promise<void> {
    const headers = { 'idempotency-key': key }
    // That one was of a hand-over before, which was undone.
    world.notes.refusedPictures.delete(awb)
    const code = await outlast(() =>
      visitor.call(recordHandover, {
        body: { awb, receivedAt, sentAt: isoOf(world.reality.now()) },
        headers,
      }),
    )
    world.tell(name, `takes bag ${awb}, ${when}: ${code ?? done}`)
    if (code !== undefined) return
    world.notes.handedOver.add(awb)
    kept.set(awb, when)
  }

  async function undo(awb: string): Promise<void> {
    // The picture goes with the hand-over, whether it is sent already, waits on the phone or is under way.
    const sent = pictured.get(awb)
    pictured.delete(awb)
    if (random.chance(0.5)) kept.delete(awb)
    const undone = await visitor.call(undoHandover, { params: { awb } })
    world.tell(name, `undoes bag ${awb}: ${undone.code ?? done}`)
    if (sent !== undefined && undone.code === 'TOO_LATE') pictured.set(awb, sent)
  }

  /** Off line all confirmations wait on the phone, and their pictures. */
  async function take(awbs: readonly string[], isOffline: boolean): Promise<void> {
    const confirmations: Confirmation[] = []
    for (const awb of awbs) {
      confirmations.push({ awb, key: crypto.randomUUID(), receivedAt: isoOf(world.reality.now()) })
      if (isOffline) await pause(5 * second, 60 * second)
    }
    if (isOffline) await pause(minute, 30 * minute)
    for (const confirmation of confirmations) await record(confirmation, isOffline ? 'later' : 'at once')
    if (random.chance(0.5)) await sendPictures()
    for (const awb of awbs) {
      if (!random.chance(0.3)) continue
      await pause(minute, 12 * minute)
      await undo(awb)
    }
  }

  const countLater = () => [...pictured.values()].filter((when) => when === 'later').length

  async function serve(agentId: number): Promise<void> {
    await pause(20 * second, 300 * second)
    const isOffline = bags === undefined ? random.chance(0.2) : countLater() * 2 <= pictured.size
    const awbs = await findBags(agentId, isOffline ? 5 : 1)
    const [first] = awbs
    if (first === undefined || random.chance(0.4)) return
    await (random.chance(0.2) ? turnDown(first) : take(awbs, isOffline))
  }

  return {
    name,
    async live() {
      const closing = world.reality.now() + counterMs
      const id = await signIn(world, visitor, random, { number: '+966500000101', name, isAgent: true })
      if (id === undefined) return
      const rounds = random.between(4, 20)
      const isOver = (round: number) =>
        bags === undefined ? round >= rounds : pictured.size >= bags || world.reality.now() > closing
      for (let round = 0; !isOver(round); round += 1) await serve(id)
      await sendPictures()
    },
  }
}

/** Pauses work and lets it go on, and in the end helps whatever waits for a person. */
function operator(world: World, random: Random): Person {
  const name = 'the operator'
  const operator = { kind: 'operator', name } as const
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
          for (const { order_id, stopped_at } of await listOverdueBookings({ database }, 0, 100))
            if (stopped_at !== null)
              for (const reference of await database.transaction(() =>
                permitCreation({ database }, order_id, { by: operator }),
              ))
                world.tell(name, `allows another creation of ${reference}`)
        })
      }
      if (world.notes.forgotten.size === 0) return
      await world.sleep(26 * hour)
      await world.asOperator(async (database) => {
        for (const { id, transaction_id } of await listOverdueRefunds({ database }, world.reality.now(), 100))
          if (await scheduleRefundNow({ database }, id))
            world.tell(name, `orders the refund of ${transaction_id} again`)
      })
      // Asked an hour later when the circuit is open, as it is for long in a world that sleeps: its seconds pass in one.
      await world.wait(hour + minute)
    },
  }
}

const staffOf = (subject: string, role: StaffRole): Staff => ({
  role: 'staff',
  issuer: 'https://id.example',
  subject,
  name: subject,
  roles: [role],
  authenticatedAt: 0,
})
const [majed, huda, lulwa] = [staffOf('Majed', 'money'), staffOf('Huda', 'money'), staffOf('Lulwa', 'lead')]
const sara = staffOf('Sara', 'support')
const reason = 'the bag was lost'

/**
 * Does what staff do, under one key, however often: a command that a power cut ended is given again. What was refused is
 * `undefined`.
 */
async function actAtDesk<T>(
  world: World,
  random: Random,
  work: (core: Core, request: StaffRequest) => Promise<T>,
): Promise<T | undefined> {
  const clock = { now: () => world.reality.now() }
  const request = { key: `key-${random.between(1_000_000, 9_999_999)}`, body: null }
  const answer = await world
    .asOperator(async (database) => work(await openCore({ database, clock }), request))
    .catch((error: unknown) => {
      if (!isFailure(error)) throw error
      world.tell('the desk', `is refused: ${error.code}`)
    })
  if (answer !== undefined) world.notes.acted.add(request.key)
  return answer ?? undefined
}

/**
 * Two of money, a lead and one of support: one asks for money, some decide at once, each presses again after a power cut. A
 * refund that the bank refuses is written off, and its order may be cancelled after all.
 */
function desk(world: World, random: Random): Person {
  const name = 'the desk'
  type Work = (core: Core, request: StaffRequest) => Promise<ActAnswer>
  const signedIn = (staff: Staff): Staff => ({ ...staff, authenticatedAt: world.reality.now() })

  async function decide(id: number, orderId: number): Promise<void> {
    const act = (work: Work) => actAtDesk(world, random, work)
    const all = [
      act((core, request) => approve(core, signedIn(lulwa), id, request, {})),
      act((core, request) => approve(core, signedIn(majed), id, request, {})),
      random.chance(0.3)
        ? act((core, request) => refuse(core, huda, id, request, { reason }))
        : act((core, request) => approve(core, signedIn(huda), id, request, {})),
    ]
    await Promise.all(all)
    world.tell(name, `has decided about OD-${orderId}`)
  }

  async function ask(what: string, orderId: number, work: Work): Promise<void> {
    const answer = await actAtDesk(world, random, work)
    if (answer?.approval === undefined) return
    world.tell(name, `asks for the ${what} of OD-${orderId}`)
    await world.wait(random.between(1, 600) * second)
    await decide(answer.approval.approvalId, orderId)
  }

  const cancel = (orderId: number) =>
    ask('cancellation', orderId, (core, request) =>
      actOnOrder(core, orderActs.cancel, sara, orderId, request, { reason }),
    )
  const refund = (orderId: number) =>
    ask('refund', orderId, (core, request) =>
      actOnOrder(core, orderActs.refund, majed, orderId, request, { reason }),
    )

  /** The bank refuses a refund until it is written off. */
  async function writeOff(orderId: number, transaction: string): Promise<void> {
    const payment = world.simulator.payment.findTransaction(Number(transaction))
    if (payment === undefined) return
    const { refusesRefunds } = payment
    payment.refusesRefunds = true
    await refund(orderId)
    await world.wait(random.between(60, 600) * second)
    await ask('write-off', orderId, (core, request) =>
      actOnOrder(core, orderActs.writeOff, majed, orderId, request, { reason, transaction }),
    )
    payment.refusesRefunds = refusesRefunds
    await world.wait(random.between(1, 600) * second)
    if (random.chance(0.6)) await cancel(orderId)
  }

  return {
    name,
    async live() {
      if (random.chance(0.5)) return
      for (let round = random.between(1, 3); round > 0; round -= 1) {
        await world.wait(random.between(60, 1_500) * second)
        const paid = await world.asOperator((database) =>
          database.tables
            .selectFrom('orders')
            .select(['id', 'transaction_id'])
            .where('payment', '=', 'paid')
            .where('ended', 'is', null)
            .orderBy('id')
            .execute(),
        )
        const order = random.pick([undefined, ...paid])
        if (order === undefined) continue
        await actAtDesk(world, random, (core, request) =>
          addNote(core, majed, order.id, request, request.key),
        )
        if (random.chance(0.5)) await writeOff(order.id, order.transaction_id ?? '')
        else if (order.id % 2 === 0) await cancel(order.id)
        else await refund(order.id)
      }
    },
  }
}

/** Returns payments on the provider's dashboard, whole or in part, most often of bags that travel. */
function bookkeeper(world: World, random: Random): Person {
  const name = 'the bookkeeper'
  const { simulator, notes } = world

  /** Transactions that stand at the provider; of bags that were handed over where there are any, most often. */
  async function choose(): Promise<TransactionRecord | undefined> {
    const standing = simulator.payment
      .list(1_000)
      .flatMap((intention) => simulator.payment.transactionsOf(intention))
      .filter((each) => isPaid(each) && isStanding(each))
    const travelling = await world.asOperator((database) =>
      database.tables
        .selectFrom('orders')
        .select('transaction_id')
        .where('handed_over', 'in', ['some', 'all'])
        .orderBy('id')
        .execute(),
    )
    const ids = new Set(travelling.map(({ transaction_id }) => transaction_id))
    const chosen = standing.filter(({ id }) => ids.has(String(id)))
    return random.pick([undefined, ...(random.chance(0.8) && chosen.length > 0 ? chosen : standing)])
  }

  /** Returns a payment or a part of it. @returns the order, unless nothing was returned */
  async function giveBack(): Promise<number | undefined> {
    const payment = await choose()
    const intention = payment && simulator.payment.findById(payment.intentionId)
    if (payment === undefined || intention === undefined) return undefined
    const rest = payment.amountHalalas - payment.refundedHalalas
    const halalas = random.chance(0.4) ? random.between(1, rest) : rest
    const answer = await world.atSimulator(() => simulator.payments.refund(payment.id, halalas))
    if (answer.kind === 'refused' || !answer.child.answer.isApproved) return undefined
    const id = String(payment.id)
    const orderId = orderNumberOf(intention) ?? 0
    notes.byHand.set(id, (notes.byHand.get(id) ?? 0) + halalas)
    world.tell(name, `returns ${halalas} halalas of ${id} of OD-${orderId} by hand`)
    return orderId
  }

  return {
    name,
    async live() {
      if (random.chance(0.5)) return
      const until = world.reality.now() + roughMs + minute
      const orderIds = new Set<number>()
      for (let round = random.between(1, 2); round > 0; round -= 1) {
        await world.wait(random.between(120, 1_800) * second)
        const orderId = await giveBack()
        if (orderId !== undefined) orderIds.add(orderId)
      }
      // The provider's word may be lost: support asks for it once it cannot be.
      await world.wait(Math.max(0, until - world.reality.now()))
      for (const orderId of orderIds) {
        await actAtDesk(world, random, (core, request) =>
          actOnOrder(core, orderActs.inquire, sara, orderId, request, { reason }),
        )
        world.tell(name, `has the provider asked about OD-${orderId}`)
      }
    },
  }
}

/** Stops selling for some minutes, at once or from a time, and sells again. */
function seller(world: World, random: Random): Person {
  const name = 'the lead'
  const text = { ar: 'متوقف الآن.', en: 'Closed now.' }

  /** A stop of an agent or of the branch that pilgrims choose, from the stored lists. */
  async function drawStop(database: Database): Promise<NewStop> {
    const rowsOf = async (kind: ListKind) =>
      JSON.parse((await findStoredList({ database }, kind))?.body ?? '[{},{}]')
    const [agents, [center]] = [await rowsOf('agents'), await rowsOf('centers')]
    const what = random.pick(['all', 'agent', 'agent', 'branch', 'city'] as const)
    const [from, until] = [random.between(0, 3) * minute, random.between(4, 9) * minute]
    const codes = {
      agent: agents[random.between(0, 1)].id,
      branch: center.code,
      city: center.city,
      all: undefined,
    }
    const now = world.reality.now()
    return {
      what: codes[what] === undefined ? 'all' : what,
      text,
      ...(codes[what] === undefined ? {} : { code: codes[what] }),
      ...(from === 0 ? {} : { from: isoOf(now + from) }),
      ...(random.chance(0.5) ? { until: isoOf(now + until) } : {}),
    }
  }

  const replace = (database: Database, stops: readonly NewStop[]) =>
    stopSales({ database }, name, 'the store is full', stops)

  return {
    name,
    async live() {
      if (random.chance(0.6)) return
      for (let round = random.between(1, 3); round > 0; round -= 1) {
        await world.wait(random.between(30, 600) * second)
        const { stops } = await world.asOperator(async (database) =>
          replace(database, [await drawStop(database), await drawStop(database)]),
        )
        world.tell(name, `stops ${stops.map(({ what, code = '' }) => `${what} ${code}`).join(', ')}`)
        await world.wait(random.between(30, 400) * second)
        await world.asOperator((database) => replace(database, []))
        world.tell(name, 'sells everything again')
      }
    },
  }
}
