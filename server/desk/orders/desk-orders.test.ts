import { describe, expect, it, onTestFinished } from 'vitest'
import { auditRowOf } from '#server/desk/audit/audit.rules.ts'
import { listActs, recordAct, staffActor } from '#server/features/history/acts.ts'
import { recordEvent } from '#server/features/history/history.ts'
import { findBookings } from '#server/features/orders/bookings.queries.ts'
import { writeHandoverPhoto } from '#server/features/orders/handover-photos.queries.ts'
import { markPaid } from '#server/features/orders/orders.queries.ts'
import { setCarriage } from '#server/features/orders/travel.queries.ts'
import { ensureUser } from '#server/features/users/users.queries.ts'
import type { Staff } from '#server/platform/session-scope.ts'
import type { DeskOrdersQuery } from '#shared/desk/orders/desk-orders.schemas.ts'
import { day, hour, manualClock, minute, noon } from '#test/kit/basics/clock.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { openCore } from '#test/kit/gateway/core.ts'
import { quietConfig } from '#test/kit/gateway/quiet-gateway.ts'
import { newLeg, newOrder, scanOf, storeOrder } from '#test/kit/orders/stored-orders.ts'
import { exportCsv, listOrdersForStaff, windows } from './order-list.ts'
import { readHandoverPhotoForStaff, readOrderPage, readPeopleOfOrder } from './order-page.ts'
import { searchDesk } from './search.ts'

const sara: Staff = {
  role: 'staff',
  issuer: 'https://id.example',
  subject: 's-1',
  name: 'Sara',
  roles: ['support'],
  authenticatedAt: noon,
}
const huda: Staff = { ...sara, subject: 's-2', name: 'Huda' }

const place = (city: string, name?: string) => JSON.stringify({ name, city, coordinates: null })

async function openDesk(env: Readonly<Record<string, string>> = {}) {
  const clock = manualClock(noon)
  const database = await openMemory(clock)
  onTestFinished(() => database.close())
  const config = await quietConfig(env)
  /** A gateway on this database. */
  const another = () => openCore({ database, clock }, { config })
  const core = await another()
  let references = 0
  return {
    database,
    clock,
    core,
    another,
    addUser: async (phone: string, name: string) => (await ensureUser({ database }, phone, name, noon)).id,
    async addOrder(userId: number, change: Parameters<typeof newOrder>[1] = {}, receiver = {}) {
      references += 1
      const leg = {
        ...newLeg(`AM-${references}`),
        origin: place('Mina', 'وكيل منى'),
        destination: place('Jeddah'),
      }
      return storeOrder(core, newOrder(userId, { createdAt: noon, ...change }), [{ ...leg, ...receiver }])
    },
    actions: async () => (await listActs({ database }, { limit: 500 })).map(auditRowOf).reverse(),
    /** Records views of Sara, as other gateways do. */
    viewElsewhere: (kind: 'searched' | 'order-viewed' | 'photo-viewed', count: number) =>
      database.transaction(async () => {
        for (let done = 0; done < count; done += 1)
          await recordAct({ database }, { by: staffActor(sara), kind })
      }),
  }
}

describe('a search of the desk', () => {
  it('finds orders by their number, airway bill and reference, without a trace', async () => {
    const { core, database, addUser, addOrder, actions } = await openDesk()
    const id = await addOrder(await addUser('+966512344678', 'Maryam Ahmed'))
    await database.tables.updateTable('bookings').set({ awb: '231200021879' }).execute()
    for (const q of [`OD-${id}`, `od ${id}`, String(id), '2312 0002 1879', '٢٣١٢٠٠٠٢١٨٧٩', 'AM-1'])
      expect(await searchDesk(core, sara, q), q).toMatchObject({
        exact: id,
        orders: [{ orderId: id }],
        people: [],
      })
    expect(await searchDesk(core, sara, '999999')).toMatchObject({ exact: null, orders: [], people: [] })
    expect(await actions()).toEqual([])
  })

  it('finds people by phone and name, masked, with their orders, and is recorded with the query masked', async () => {
    const { core, addUser, addOrder, actions } = await openDesk()
    const maryam = await addUser('+966512344678', 'فاطمة أحمد علي')
    const yusuf = await addUser('+905321234678', 'Yusuf')
    const first = await addOrder(maryam)
    const second = await addOrder(
      yusuf,
      {},
      { receiver_name: 'Khalid Omar', receiver_phone: '+966522221111' },
    )
    const found = await searchDesk(core, sara, '051 234 4678')
    expect(found).toMatchObject({
      exact: null,
      more: { orders: false, people: false },
      people: [{ userId: maryam, name: 'فاطمة أ…', phone: '+966 ••••• 4678' }],
      orders: [
        { orderId: first, agentName: 'وكيل منى', city: 'Jeddah', owner: { phone: '+966 ••••• 4678' } },
      ],
    })
    expect((await searchDesk(core, sara, '4678')).people.map(({ userId }) => userId)).toEqual([yusuf, maryam])
    expect((await searchDesk(core, sara, 'احمد فاطمه')).orders).toMatchObject([{ orderId: first }])
    expect(await searchDesk(core, huda, 'khal')).toMatchObject({
      exact: null,
      people: [],
      orders: [{ orderId: second }],
    })
    expect((await searchDesk(core, sara, 'اح')).people).toEqual([])
    const searched = { action: 'searched', orderId: null, reason: null }
    expect(await actions()).toMatchObject([
      { ...searched, by: 'Sara', person: 's-1', userId: maryam, about: '0… 2… •••••4678' },
      { ...searched, by: 'Sara', person: 's-1', userId: null, about: '•••••4678' },
      { ...searched, by: 'Sara', person: 's-1', userId: maryam, about: 'ا… ف…' },
      { ...searched, by: 'Huda', person: 's-2', userId: null, about: 'k…' },
    ])
  })

  it('for a phone that none has is recorded, and counts on every gateway', async () => {
    const { core, viewElsewhere, actions } = await openDesk()
    await searchDesk(core, sara, '0512344678')
    expect(await actions()).toMatchObject([{ action: 'searched', about: '•••••4678', userId: null }])
    await viewElsewhere('searched', 59)
    await expect(searchDesk(core, sara, '0512344678')).rejects.toMatchObject({ code: 'TOO_MANY_CALLS' })
  })

  it('finds a claim by its number', async () => {
    const { core, database, addUser, addOrder } = await openDesk()
    const userId = await addUser('+966512344678', 'Maryam')
    const orderId = await addOrder(userId)
    const { id: booking_id } = await database.tables
      .selectFrom('bookings')
      .select('id')
      .executeTakeFirstOrThrow()
    await database.tables
      .insertInto('claims')
      .values({
        id: 118,
        user_id: userId,
        order_id: orderId,
        booking_id,
        kind: 'late',
        state: 'OPEN',
        body_hash: 'h',
        opened_at: noon,
        touched_at: noon,
        answer_by: noon,
      })
      .execute()
    const claim = { claimId: 118, number: 'CL-118', orderId, kind: 'late', state: 'OPEN' }
    for (const q of ['CL-118', 'cl 118', 'cl١١٨'])
      expect(await searchDesk(core, sara, q), q).toMatchObject({ claims: [claim], orders: [], people: [] })
    expect(await searchDesk(core, sara, 'CL-119')).toMatchObject({ claims: [] })
  })

  it('shows twenty at most and says that there are more', async () => {
    const { core, addUser, addOrder } = await openDesk()
    for (let index = 0; index < 22; index += 1)
      await addOrder(await addUser(`+9665123${index + 10}99`, 'Maryam'))
    const { people, orders, more } = await searchDesk(core, sara, 'maryam')
    expect([people.length, orders.length, more]).toEqual([20, 20, { orders: false, people: true }])
  })

  it('is refused after sixty a minute, of one person', async () => {
    const { core, clock } = await openDesk()
    for (let count = 0; count < 60; count += 1) await searchDesk(core, sara, 'OD-1')
    await expect(searchDesk(core, sara, 'OD-1')).rejects.toMatchObject({ code: 'TOO_MANY_CALLS' })
    await searchDesk(core, huda, 'OD-1')
    clock.advance(minute)
    await searchDesk(core, sara, 'OD-1')
  })
})

describe('the list of the desk', () => {
  it('passes a limited number of orders in one call, and goes on from there', async () => {
    const { core, database, addUser, addOrder } = await openDesk()
    const wanted = await addOrder(await addUser('+966512344678', 'Maryam'), { createdAt: noon - 1 })
    await database.tables.updateTable('orders').set({ payment: 'paid' }).execute()
    await database.tables.updateTable('bookings').set({ carriage: 'at-branch' }).execute()
    const row = { ...(await database.tables.selectFrom('orders').selectAll().executeTakeFirstOrThrow()) }
    const { id: _, ...copy } = row
    for (let count = 0; count < 11; count += 1)
      await database.tables
        .insertInto('orders')
        .values(Array.from({ length: 500 }, () => ({ ...copy, created_at: noon })))
        .execute()
    const first = await listOrdersForStaff(core, sara, { state: 'AT_BRANCH' })
    expect([first.orders, typeof first.nextCursor]).toEqual([[], 'string'])
    const file = await exportCsv(core, sara, { state: 'AT_BRANCH' }, 'en', windows.examined)
    expect([file.name, file.nextCursor]).toEqual(['amtiati-orders-part.csv', first.nextCursor])
    expect((await exportCsv(core, sara, { state: 'AT_BRANCH' }, 'en')).name).toBe('amtiati-orders.csv')
    // Its last line leads on.
    const [, note, ...others] = file.csv.split('\r\n').filter(Boolean)
    const [, number, address = ''] =
      /^"Not all orders: those before OD-(\d+) \(2027-01-15 12:00, Riyadh\) are in the next file: (.*)"$/.exec(
        note ?? '',
      ) ?? []
    expect([others, `${noon}-${number}`]).toEqual([[], first.nextCursor])
    const rest = await exportCsv(core, huda, Object.fromEntries(new URL(address).searchParams), 'ar')
    expect(rest).toMatchObject({ name: 'amtiati-orders-part.csv', nextCursor: null })
    expect(rest.csv).toMatch(new RegExp(`"\r\n"OD-${wanted}";[^\r]*\r\n$`))
    const next = await listOrdersForStaff(core, sara, { state: 'AT_BRANCH', cursor: first.nextCursor ?? '' })
    expect(next).toMatchObject({ orders: [{ orderId: wanted }], nextCursor: null })
  })

  it('is read sixty times an hour by a person, whatever the filters and on every gateway, and recorded from the tenth', async () => {
    const { core, clock, addUser, addOrder, actions, another } = await openDesk()
    const userId = await addUser('+966512344678', 'Maryam')
    for (let index = 0; index < 2; index += 1) await addOrder(userId)
    const { nextCursor } = await listOrdersForStaff(core, sara, { limit: '1' })
    const gateways = [core, await another()] as const
    const forms: DeskOrdersQuery[] = [
      {},
      { limit: '1', cursor: String(nextCursor) },
      { agent: 'A01' },
      { status: 'PAID' },
      { branch: '9' },
      { from: '2027-01-01' },
    ]
    const read = (count: number, by = sara) =>
      listOrdersForStaff(gateways[count % 2 === 0 ? 0 : 1], by, forms[count % forms.length] ?? {})
    for (let count = 2; count <= 9; count += 1) await read(count)
    expect(await actions()).toEqual([])
    for (let count = 10; count <= 60; count += 1) await read(count)
    const recorded = Object.groupBy(await actions(), ({ action }) => action)
    expect([recorded['orders-listed']?.length, recorded['view-refused']]).toEqual([51, undefined])
    expect(recorded['orders-listed']?.at(-1)?.after).toBe(JSON.stringify(forms[0]))
    for (const [count] of forms.entries())
      await expect(read(count)).rejects.toMatchObject({ code: 'TOO_MANY_CALLS' })
    expect((await actions()).filter(({ action }) => action === 'view-refused')).toHaveLength(forms.length)
    expect((await read(0, huda)).orders).toHaveLength(2)
    clock.advance(hour)
    expect((await read(0)).orders).toHaveLength(2)
  })

  it('is a file ten times a day for a person', async () => {
    const { core, clock, actions, another } = await openDesk()
    const gateways = [core, await another()] as const
    const ask = (count: number, by = huda) =>
      exportCsv(gateways[count % 2 === 0 ? 0 : 1], by, { agent: `A${count}` }, 'en')
    for (let count = 0; count < 10; count += 1) await ask(count)
    for (const count of [0, 1]) await expect(ask(count)).rejects.toMatchObject({ code: 'TOO_MANY_CALLS' })
    expect(await ask(0, sara)).toBeDefined()
    clock.advance(day)
    const atOnce = await Promise.allSettled(Array.from({ length: 14 }, (_, count) => ask(count)))
    expect(atOnce.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(10)
    expect((await actions()).map(({ action }) => action)).toContain('view-refused')
  })

  it('is a file without names and phones, and recorded', async () => {
    const { core, database, addUser, addOrder, actions } = await openDesk()
    const id = await addOrder(
      await addUser('+966512344678', 'Maryam'),
      { agentCode: '=A1' },
      { receiver_name: 'Khalid' },
    )
    await database.tables.updateTable('bookings').set({ awb: '231200021879' }).execute()
    await database.tables
      .updateTable('orders')
      .set({ payment: 'paid', paid_at: noon + minute })
      .execute()
    const { csv, nextCursor } = await exportCsv(core, huda, {}, 'ar')
    const [head, line] = csv.split('\r\n')
    expect(head).toMatch(/^\uFEFF"رقم الطلب";/)
    const [created, paid] = ['2027-01-15 12:00', '2027-01-15 12:01']
    expect(line?.split(';').slice(0, 9)).toEqual(
      [`OD-${id}`, 'PAID', 'FROM_MINA', created, paid, '50.00', '0.00', 'SAR', "'=A1"].map(
        (text) => `"${text}"`,
      ),
    )
    expect(line).toContain('"2312 0002 1879"')
    expect(csv).not.toMatch(/4678|Maryam|Khalid/)
    expect(nextCursor).toBeNull()
    expect(await actions()).toMatchObject([{ by: 'Huda', action: 'exported', about: '1 orders' }])
  })
})

describe('the page of an order', () => {
  it('shows all of it, masked, with a timeline in the language of its reader', async () => {
    const { core, database, clock, addUser, addOrder } = await openDesk()
    const userId = await addUser('+966512344678', 'Maryam Ahmed')
    const receiver = {
      receiver_name: 'Khalid Omar',
      receiver_phone: '+966522221111',
      second_phone: '+966533332222',
    }
    const id = await addOrder(userId, {}, receiver)
    const other = await addOrder(userId)
    await database.transaction(() => markPaid(core, id, '9001', noon + minute))
    const [booking] = await findBookings(core, [id])
    const scan = scanOf('in-transit', noon + hour, { place: 'Jeddah', text: 'Departed hub' })
    await database.transaction(async () => {
      await recordEvent(core, { ...scan, orderId: id, bookingId: booking?.id ?? 0 })
      await setCarriage(core, id)
    })
    clock.advance(3 * hour)
    const page = await readOrderPage(core, sara, `OD-${id}`, 'ar')
    expect(page).toMatchObject({
      orderId: id,
      status: 'PAID',
      expiredAt: null,
      otherOrders: [{ orderId: other }],
      user: { userId, name: 'Maryam A…', phone: '+966 ••••• 4678' },
      receiver: { name: 'Khalid O…', phone: '+966 ••••• 1111' },
      secondPhone: '+966 ••••• 2222',
      bookings: [{ reference: 'AM-1', tries: 0, lastError: null }],
    })
    expect(page.timeline.map(({ kind, text }) => [kind, text])).toEqual([
      ['scan', 'في الطريق، جدة'],
      ['order-created', 'أُنشئ الطلب: من مكة ومنى'],
    ])
    expect((await readOrderPage(core, sara, 'AM-1', 'en')).timeline.map(({ text }) => text)).toEqual([
      ...['On the way, Jeddah', 'Order created: from Makkah and Mina'],
    ])
    expect(JSON.stringify(page)).not.toMatch(/Ahmed|Khalid Omar|2344678|22221111|33332222/)
    await expect(readOrderPage(core, sara, 'OD-999', 'en')).rejects.toMatchObject({ code: 'ORDER_NOT_FOUND' })
  })

  it('is recorded once an hour for each of its readers, and no line of the timeline', async () => {
    const { core, clock, addUser, addOrder, actions } = await openDesk()
    const userId = await addUser('+966512344678', 'Maryam')
    const [id, other] = [await addOrder(userId), await addOrder(userId)]
    const read = (by: Staff, order: number) => readOrderPage(core, by, String(order), 'en')
    const [, again] = [await read(sara, id), await read(sara, id)]
    expect(again.timeline.map(({ kind }) => kind)).toEqual(['order-created'])
    await read(huda, id)
    await read(sara, other)
    clock.advance(hour)
    await read(sara, id)
    const view = { action: 'order-viewed', userId, about: null, reason: null }
    expect(await actions()).toMatchObject([
      { ...view, by: 'Sara', person: 's-1', orderId: id },
      { ...view, by: 'Huda', person: 's-2', orderId: id },
      { ...view, by: 'Sara', person: 's-1', orderId: other },
      { ...view, by: 'Sara', person: 's-1', orderId: id },
    ])
  })

  it('is one of so many that a person opens in an hour, on all gateways; one that is open is read again', async () => {
    const { core, viewElsewhere, addUser, addOrder } = await openDesk()
    const userId = await addUser('+966512344678', 'Maryam')
    const [first, second] = [await addOrder(userId), await addOrder(userId)]
    await readOrderPage(core, sara, String(first), 'en')
    await viewElsewhere('order-viewed', 199)
    await readOrderPage(core, sara, String(first), 'en')
    const tooMany = { code: 'TOO_MANY_CALLS' }
    await expect(readOrderPage(core, sara, String(second), 'en')).rejects.toMatchObject(tooMany)
    await readOrderPage(core, huda, String(second), 'en')
  })

  it('says what can be done about it, and by whom', async () => {
    const { core, database, clock, addUser, addOrder } = await openDesk({
      CANCELLATION: '2h',
      DESK_REFUND_ALONE: '60',
    })
    const id = await addOrder(await addUser('+966512344678', 'Maryam'), { amountHalalas: 5_000 })
    const money: Staff = { ...sara, roles: ['money'] }
    const read = async (by = money) => {
      const { mayCancel, alone, alerts, bookings } = await readOrderPage(core, by, String(id), 'en')
      const open = alerts.map(({ leg, kind, at }) => `${leg} ${kind} ${Date.parse(at) - noon}`).sort()
      return { mayCancel, alone, open, kinds: bookings.map(({ claimKinds }) => claimKinds) }
    }
    const unpaid = {
      mayCancel: true,
      alone: { halalas: 6_000, returnHalalas: 0, receiver: true, reissue: true },
    }
    expect(await read()).toEqual({ ...unpaid, open: [], kinds: [[]] })
    await database.transaction(() => markPaid(core, id, '9001', noon))
    clock.advance(2 * hour + 1)
    const [bag] = await findBookings(core, [id])
    const bookings = database.tables.updateTable('bookings')
    await bookings.set({ uncertain_until: 1, stopped_at: noon, creations_allowed: 3 }).execute()
    const alert = { booking_id: bag?.id ?? 0, code: 'DMG', at: noon, noticed_at: noon + minute }
    const alerts = [
      { ...alert, event_key: 'a', kind: 'damaged' },
      { ...alert, event_key: 'a', kind: 'contradiction' },
      { ...alert, event_key: 'b', kind: 'missing', closed_at: noon + hour },
    ] as const
    await database.tables
      .insertInto('scan_alerts')
      .values([...alerts])
      .execute()
    expect(await read({ ...sara, roles: ['lead'] })).toEqual({
      mayCancel: false,
      alone: { halalas: 0, returnHalalas: 0, receiver: false, reissue: false },
      // Nothing is claimed before the hand-over.
      kinds: [[]],
      open: [`1 contradiction ${minute}`, `1 damaged ${minute}`],
    })
  })
})

describe('a look at who the people of an order are', () => {
  it('is recorded with its reason before it is answered, and stands in the timeline', async () => {
    const { core, addUser, addOrder, actions } = await openDesk()
    const userId = await addUser('+966512344678', 'Maryam Ahmed')
    const id = await addOrder(userId, {}, { receiver_name: 'Khalid Omar' })
    expect(await readPeopleOfOrder(core, sara, id, { reason: 'call-back' })).toEqual({
      name: 'Maryam Ahmed',
      phone: '+966512344678',
      secondPhone: null,
      receiver: { name: 'Khalid Omar', phone: null },
    })
    await readPeopleOfOrder(core, huda, id, { reason: 'other', text: 'lost her bag' })
    await readPeopleOfOrder(core, huda, id, { reason: 'partner', text: 'called us' })
    await expect(readPeopleOfOrder(core, sara, id, { reason: 'other' })).rejects.toMatchObject({
      code: 'REASON_NEEDED',
    })
    await expect(readPeopleOfOrder(core, sara, id + 1, { reason: 'name' })).rejects.toMatchObject({
      code: 'ORDER_NOT_FOUND',
    })
    const disclosed = { action: 'disclosed', orderId: id, userId, about: null }
    expect(await actions()).toMatchObject([
      { ...disclosed, by: 'Sara', person: 's-1', reason: 'call-back' },
      { ...disclosed, by: 'Huda', person: 's-2', reason: 'other: lost her bag' },
      { ...disclosed, by: 'Huda', person: 's-2', reason: 'partner: called us' },
    ])
    const { timeline } = await readOrderPage(core, sara, String(id), 'en')
    expect(
      timeline.filter(({ kind }) => kind === 'disclosed').map(({ by, text }) => `${by.name}: ${text}`),
    ).toEqual([
      'Huda: Looked at name and phone: asked by the shipping partner: called us',
      'Huda: Looked at name and phone: another reason: lost her bag',
      'Sara: Looked at name and phone: call back',
    ])
  })

  it('is refused after thirty an hour and a hundred a day, of one person, and the refusal is recorded', async () => {
    const { core, clock, addUser, addOrder, actions } = await openDesk()
    const id = await addOrder(await addUser('+966512344678', 'Maryam'))
    const disclose = () => readPeopleOfOrder(core, sara, id, { reason: 'identity' })
    const discloseTimes = async (count: number) => {
      for (let done = 0; done < count; done += 1) await disclose()
    }
    await discloseTimes(30)
    await expect(disclose()).rejects.toMatchObject({
      code: 'TOO_MANY_CALLS',
      details: { retryAfterSeconds: 3_600 },
    })
    await readPeopleOfOrder(core, huda, id, { reason: 'identity' })
    expect((await actions()).filter(({ action }) => action === 'view-refused')).toHaveLength(1)
    expect(
      new Set((await readOrderPage(core, sara, String(id), 'en')).timeline.map(({ kind }) => kind)),
    ).toEqual(new Set(['disclosed', 'order-created']))
    for (let round = 0; round < 2; round += 1) {
      clock.advance(hour)
      await discloseTimes(30)
    }
    clock.advance(hour)
    await discloseTimes(10)
    await expect(disclose()).rejects.toMatchObject({
      code: 'TOO_MANY_CALLS',
      details: { retryAfterSeconds: 21 * 3_600 },
    })
    clock.advance(21 * hour)
    await disclose()
  })
})

describe('the picture of a hand-over', () => {
  it('is shown to staff under its own order, each look is recorded, and 200 an hour are shown', async () => {
    const { core, database, addUser, addOrder, actions, viewElsewhere } = await openDesk()
    const userId = await addUser('+966512344678', 'Maryam')
    const [orderId, other] = [await addOrder(userId), await addOrder(userId)]
    const awb = '231200021879'
    await database.tables.updateTable('bookings').set({ awb }).where('order_id', '=', orderId).execute()
    const look = (id: number) => readHandoverPhotoForStaff(core, sara, id, awb)
    await expect(look(orderId)).rejects.toMatchObject({ code: 'PHOTO_NOT_FOUND' })
    const [booking] = await findBookings(core, [orderId])
    const times = { taken_at: noon, stored_at: noon, delete_at: noon + day }
    await writeHandoverPhoto(core, { booking_id: booking?.id ?? 0, jpeg: new Uint8Array([7]), ...times })
    await expect(look(other)).rejects.toMatchObject({ code: 'PHOTO_NOT_FOUND' })
    expect(await actions()).toEqual([])
    for (let looks = 0; looks < 2; looks += 1) expect([...(await look(orderId))]).toEqual([7])
    const viewed = { action: 'photo-viewed', by: 'Sara', orderId, userId, about: `hand-over of ${awb}` }
    expect(await actions()).toMatchObject([viewed, viewed])
    await viewElsewhere('photo-viewed', 198)
    await expect(look(orderId)).rejects.toMatchObject({ code: 'TOO_MANY_CALLS' })
  })
})
