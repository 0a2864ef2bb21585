import fc from 'fast-check'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '#shared/operations.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import { Problem } from '#shared/platform/problem.ts'
import {
  issuedAwb,
  newPhone,
  type Pilgrim,
  paidOrder,
  signedUpPilgrim,
} from '#test/builders/pilgrim.builder.ts'
import { atOnce } from '#test/kit/at-once.ts'
import { callbackOf, successOn } from '#test/kit/callbacks.ts'
import type { Counters } from '#test/kit/control.ts'
import { isFull } from '#test/kit/full-run.ts'
import { type HostileRequest, hostileRequests, type ValidRequest } from '#test/kit/hostile.ts'
import { ownStack } from '#test/kit/in-process.ts'
import { newPerson, type Person } from '#test/kit/person.ts'
import { runSeed } from '#test/kit/random.ts'
import {
  bytesOf,
  type Connection,
  type Headers,
  headerOf,
  openConnection,
  type RawAnswer,
} from '#test/kit/raw-http.ts'
import { openRows, type Rows } from '#test/kit/rows.ts'
import type { Stack } from '#test/kit/stack.ts'
import { rfcReader } from '#test/kit/web-push.ts'

/** Requests over all operations together. */
const count = isFull ? 20_000 : 2_400
/** Requests generated at a time: fast-check's values take much memory. */
const batch = 1_000
const connections = 16

let stack: Stack
let rows: Rows
let cookies: Readonly<Record<string, string>>
let valid: Readonly<Record<keyof typeof operations, ValidRequest>>
let before: { snapshot: Awaited<ReturnType<Rows['snapshot']>>; counters: Counters }
let pilgrim: Pilgrim

beforeAll(async () => {
  // The test expects an empty log: no request of a stranger may cause an error.
  stack = await ownStack({ env: { LOG_LEVEL: 'error' } })
  rows = openRows(stack)
  pilgrim = await signedUpPilgrim(stack)
  const { person, user } = pilgrim
  const neighbour = await signedUpPilgrim(stack)
  const agent = newPerson(stack)
  const { id: agentId } = await agent.signInAgent('+966500000101')
  const orderId = await paidOrder(stack, pilgrim)
  const awb = await issuedAwb(person, orderId)
  // Its first reader writes a receipt that no worker has written yet.
  await person.send('GET', `/api/orders/${orderId}/receipt.pdf`)
  const unpaidId = (await person.checkout(user.id)).orderId
  const droppedId = (await person.checkout(user.id)).orderId
  const [payment] = await stack.control.paymentsOf(unpaidId)
  const { sessions } = await person.call(operations.listSessions)
  const sessionId = sessions[0]?.id
  const offer = await person.offer(user.id)
  if (!payment) throw new Error('there is something to attack')

  const cookieOf = (one: Person) => [...one.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  cookies = {
    visitor: '',
    owner: cookieOf(person),
    neighbour: cookieOf(neighbour.person),
    agent: cookieOf(agent),
    'with a made-up session': cookieOf(person).replace(/=[\w-]{43}/g, `=${'A'.repeat(43)}`),
  }

  const phone = newPhone()
  const { userId: _, amount, ...bookingDetails } = offer
  const callback = JSON.parse(callbackOf(successOn(payment)).body) as Record<string, unknown>
  const parts: Readonly<Record<keyof typeof operations, Partial<Pick<ValidRequest, 'path' | 'body'>>>> = {
    requestOtp: { body: { phone, name: 'Sara' } },
    readDelivery: {},
    verifyOtp: { body: { phone, code: '0000', name: 'Sara' } },
    sendAgentOtp: { body: { phone } },
    showPairing: { body: { phone: '+966500000101' } },
    verifyAgentOtp: { body: { phone, code: '0000' } },
    askConfirmation: { body: { purpose: 'export' } },
    verifyConfirmation: { body: { code: '0000' } },
    stopEmail: { body: { token: 'A'.repeat(22) } },
    addEmail: { body: { email: 'maryam@example.com' } },
    verifyEmail: { body: { code: '0000' } },
    removeEmail: { body: {} },
    recoverAccount: { body: { email: 'maryam@example.com', phone } },
    verifyRecovery: { body: { emailCode: '0000', phoneCode: '0000' } },
    readUserSession: {},
    updateUser: { body: { name: 'Sara' } },
    readAgentSession: {},
    logout: { body: {} },
    logoutEverywhere: { body: {} },
    listSessions: {},
    endSession: { path: `/api/auth/sessions/${sessionId}` },
    exportUser: {},
    deleteUser: {},
    sendReport: { body: { 'csp-report': { 'blocked-uri': 'inline' } } },
    listCenters: {},
    listAgents: {},
    readConfig: {},
    checkout: { body: { ...offer, receiver: { name: 'Sami', phone: '+966512345678' } } },
    createPaymentOrder: { body: { userId: user.id, amount, bookingDetails } },
    renewPayment: { path: `/api/orders/${unpaidId}/payment`, body: {} },
    changeReceiver: {
      path: `/api/orders/${unpaidId}/receiver`,
      body: { receiver: { name: 'Sami', phone: '+966512345678' }, secondPhone: '+966512345679' },
    },
    cancelOrder: { path: `/api/orders/${droppedId}/cancel`, body: {} },
    receiveCallback: { body: callback },
    receiveMessageStatus: { body: { MessageSid: 'SM1', MessageStatus: 'delivered' } },
    receiveScans: { body: { AWB: awb, Scans: [{ ScanType: 'DL', ScanDateTime: '2026-01-10T11:00:00' }] } },
    readOrder: { path: `/api/orders/${orderId}` },
    readOrderEvents: { path: `/api/orders/${orderId}/events` },
    listUserOrders: { path: `/api/orders/user/${user.id}` },
    listAgentOrders: { path: `/api/orders/agent/${agentId}` },
    readAgentEvents: { path: `/api/orders/agent/${agentId}/events` },
    readLabel: { path: `/api/orders/barcode/${awb}` },
    readLabelPdf: { path: `/api/orders/barcode/${awb}.pdf` },
    createShare: { path: `/api/orders/${orderId}/share` },
    readOwnShare: { path: `/api/orders/${orderId}/share` },
    endShare: { path: `/api/orders/${orderId}/share` },
    openClaim: {
      path: `/api/orders/${orderId}/claims`,
      body: { kind: 'other', awb, text: 'The wheel of my bag is broken.' },
    },
    listClaims: { path: `/api/orders/${orderId}/claims` },
    writeToClaim: { path: '/api/claims/1/messages', body: { text: 'Hello?' } },
    withdrawClaim: { path: '/api/claims/1/withdraw', body: {} },
    storePhoto: { path: '/api/claims/1/photos/1' },
    readPhoto: { path: '/api/claims/1/photos/1' },
    readShare: { path: `/api/track/${'A'.repeat(43)}` },
    readShareEvents: { path: `/api/track/${'A'.repeat(43)}/events` },
    readPush: {},
    subscribePush: {
      body: {
        endpoint: 'https://fcm.googleapis.com/fcm/send/x',
        p256dh: rfcReader.p256dh,
        auth: 'A'.repeat(22),
      },
    },
    unsubscribePush: {},
    recordHandover: {
      body: { awb, receivedAt: '2027-05-18T12:30:00.000Z', sentAt: '2027-05-18T12:30:01.000Z' },
    },
    refuseBag: { body: { awb, reason: 'other', text: 'زجاج مكسور' } },
    undoHandover: { path: `/api/handovers/${awb}` },
    findForeignBag: { path: `/api/handovers/${awb}` },
    readWalletLink: { path: `/api/orders/${orderId}/wallet/${awb}` },
    readCalendar: { path: `/api/orders/${orderId}/visit.ics` },
    readReceiptPdf: { path: `/api/orders/${orderId}/receipt.pdf` },
    readDeskSession: {},
    signOutOfDesk: { body: {} },
    endDeskSessions: { body: { logout_token: 'e30.e30.' } },
    searchDesk: { body: { q: 'OD-1' } },
    listDeskOrders: {},
    readDeskOrder: { path: `/api/desk/orders/${orderId}` },
    revealDeskOrder: { path: `/api/desk/orders/${orderId}/reveal`, body: { reason: 'name' } },
    readDeskPerson: { path: `/api/desk/people/${user.id}` },
    askNumber: {
      path: `/api/desk/people/${user.id}/number`,
      body: { phone: '+966512349999', reason: 'asked by phone' },
    },
    openAgent: {
      path: '/api/desk/agents/A01/open',
      body: { pairing: '123456', reason: 'asked by phone' },
    },
    unlockDeskPerson: { path: `/api/desk/people/${user.id}/unlock`, body: { reason: 'asked by phone' } },
    endPersonSessions: {
      path: `/api/desk/people/${user.id}/end-sessions`,
      body: { reason: 'asked by phone' },
    },
    endAllSessions: { body: { reason: 'a key was lost' } },
    openDeskClaim: {
      path: `/api/desk/orders/${orderId}/claims`,
      body: { kind: 'other', awb, text: 'The wheel of my bag is broken.' },
    },
    readDeskClaim: { path: '/api/desk/claims/1' },
    readDeskPhoto: { path: '/api/desk/claims/1/photos/1' },
    storeDeskPhoto: { path: '/api/desk/claims/1/photos/1' },
    answerDeskClaim: { path: '/api/desk/claims/1/answer', body: { text: 'We look for it.', question: true } },
    closeDeskClaim: {
      path: '/api/desk/claims/1/close',
      body: { outcome: 'compensated', text: 'Paid.', compensation: { halalas: 100, reference: 'T-1' } },
    },
    noteDeskClaim: {
      path: '/api/desk/claims/1/partner',
      body: { what: 'told', caseNumber: 'C-1', text: 'Told by mail.' },
    },
    readWork: {},
    listWork: { path: '/api/desk/work/bags' },
    takeWork: { path: '/api/desk/work/bags/1/take', body: {} },
    releaseWork: { path: '/api/desk/work/bags/1/release', body: {} },
    handWork: { path: '/api/desk/work/bags/1/hand', body: { to: 'huda', note: 'Call again.' } },
    endWork: { path: '/api/desk/work/messages/1/seen', body: { reason: 'told by phone' } },
    readDeskEvents: {},
    listAudit: {},
    listWorkers: {},
    pauseWorker: { path: '/api/desk/workers/refunds/pause', body: { reason: 'it is broken' } },
    resumeWorker: { path: '/api/desk/workers/refunds/resume', body: { reason: 'it is mended' } },
    inquireAtDesk: { path: `/api/desk/orders/${orderId}/actions/inquire`, body: { reason: 'they called' } },
    noteAtDesk: { path: `/api/desk/orders/${orderId}/actions/note`, body: { text: 'called back' } },
    checkedAtDesk: { path: `/api/desk/orders/${orderId}/actions/checked`, body: { reason: 'they called' } },
    resendAtDesk: { path: `/api/desk/orders/${orderId}/actions/resend`, body: { reason: 'they called' } },
    changeReceiverAtDesk: {
      path: `/api/desk/orders/${orderId}/actions/receiver`,
      body: { reason: 'they called', receiver: { name: 'Huda' } },
    },
    cancelAtDesk: { path: `/api/desk/orders/${orderId}/actions/cancel`, body: { reason: 'they called' } },
    reissueAtDesk: { path: `/api/desk/orders/${orderId}/actions/reissue`, body: { reason: 'they called' } },
    refundAtDesk: { path: `/api/desk/orders/${orderId}/actions/refund`, body: { reason: 'they called' } },
    writeOffAtDesk: {
      path: `/api/desk/orders/${orderId}/actions/write-off`,
      body: { reason: 'they called', transaction: '1' },
    },
    listApprovals: {},
    revealApproval: { path: '/api/desk/approvals/1/reveal', body: { reason: 'partner' } },
    approveAtDesk: { path: '/api/desk/approvals/1/approve', body: {} },
    confirmAtDesk: { path: '/api/desk/approvals/1/confirm', body: {} },
    refuseAtDesk: { path: '/api/desk/approvals/1/refuse', body: { reason: 'not agreed' } },
    readStops: {},
    replaceStops: { body: { stops: [], reason: 'all is well' } },
    readDemoOrder: { path: `/api/demo/orders/${orderId}` },
    resetDemo: { body: {} },
    moveDemoClock: { body: { advanceMs: 60_000 } },
  }
  const ofOperation = ([name, part]: [string, object]): [string, ValidRequest] => {
    const operation: OperationShape = operations[name as keyof typeof operations]
    return [name, { operation, path: operation.path, ...part }]
  }
  valid = Object.fromEntries(Object.entries(parts).map(ofOperation)) as typeof valid
  before = { snapshot: await rows.snapshot(), counters: await stack.control.counters() }
})
afterAll(async () => {
  await rows?.close()
  await stack?.close()
})

/** What is wrong with the answer to an attack; undefined when nothing is. */
function complaintAbout(
  { name, request }: HostileRequest,
  answer: RawAnswer | undefined,
): string | undefined {
  if (!answer) return 'was cut off without an answer'
  const { status, body } = answer
  // Many streams of one caller at once.
  if (body.includes('TOO_MANY_STREAMS')) return undefined
  if (status >= 500) return `was answered ${status}`
  // Reports of browsers are accepted with any content.
  if (status < 400)
    return request.method === 'GET' || name === 'sendReport' ? undefined : `was let in: ${status}`
  // A path outside the API is answered with the page for unknown paths.
  if (!/^\/api(?![^/?])/.test(request.target) && headerOf(answer, 'content-type')?.startsWith('text/html'))
    return undefined
  try {
    if (Value.Check(Problem, JSON.parse(body.toString('utf8')))) return undefined
  } catch {
    // Not JSON: reported below.
  }
  return `was refused with ${status} in other words than ours: ${body.toString('latin1').slice(0, 200)}`
}

const shown = ({ name, attack, caller, request }: HostileRequest) =>
  `${attack} on ${name} by ${caller}: ${bytesOf(request).toString('latin1').slice(0, 600)}`

/** Sends all attacks over a few parallel connections and returns what was wrong with the answers. */
async function attackWith(
  attacks: readonly HostileRequest[],
  answers: Map<string, number>,
): Promise<string[]> {
  const complaints: string[] = []
  const ahead = [...attacks]
  const host = new URL(stack.gatewayUrl).host
  const kept: Connection[] = []
  const send = async (hostile: HostileRequest): Promise<RawAnswer | undefined> => {
    const cookie = cookies[hostile.caller] ?? ''
    const { request } = hostile
    const hasCookie = cookie === '' || request.headers.some(([header]) => header === 'cookie')
    const own: Headers = hasCookie
      ? [['host', host]]
      : [
          ['host', host],
          ['cookie', cookie],
        ]
    const bytes = bytesOf({ ...request, headers: [...own, ...request.headers] })
    // Retried once, as clients do: the server may have been about to close the kept connection.
    for (let attempt = 1; ; attempt += 1) {
      const used = attempt === 1 ? kept.pop() : undefined
      const connection = used?.isOpen ? used : openConnection(stack.gatewayUrl)
      connection.write(bytes)
      const answer = await connection.answer()
      if (answer && headerOf(answer, 'connection') !== 'close') kept.push(connection)
      else connection.destroy()
      if (answer || attempt === 2) return answer
    }
  }
  const work = async () => {
    for (let hostile = ahead.pop(); hostile; hostile = ahead.pop()) {
      const answer = await send(hostile)
      const key = `${hostile.name} ${answer?.status}`
      answers.set(key, (answers.get(key) ?? 0) + 1)
      const complaint = complaintAbout(hostile, answer)
      if (complaint) complaints.push(`${shown(hostile)}\n→ ${complaint}`)
    }
  }
  await atOnce(connections, work)
  for (const connection of kept) connection.destroy()
  return complaints
}

describe(`${count} hostile requests with seed ${runSeed}`, () => {
  const answers = new Map<string, number>()

  it('are all answered, none with a server error, and none is accepted', async () => {
    const arbitrary = hostileRequests(valid, Object.keys(cookies))
    for (let sent = 0; sent < count; sent += batch) {
      const attacks = fc.sample(arbitrary, { numRuns: Math.min(batch, count - sent), seed: runSeed + sent })
      const complaints = await attackWith(attacks, answers)
      expect(complaints.slice(0, 5)).toEqual([])
    }
    // Every operation was reached, and what reads was also read.
    for (const [name, { method }] of Object.entries<OperationShape>(operations)) {
      const statuses = [...answers.keys()].filter((key) => key.startsWith(`${name} `))
      // A report may be accepted each time.
      const least = method === 'GET' || name === 'sendReport' ? 1 : 2
      expect(statuses.length, `${name}: ${statuses}`).toBeGreaterThanOrEqual(least)
    }
  })

  it('have had no effect', async () => {
    expect(await stack.control.counters()).toEqual(before.counters)
    expect(await rows.snapshot()).toEqual(before.snapshot)
    expect(stack.logs().filter((line) => line.startsWith('gateway'))).toEqual([])
  })
})
