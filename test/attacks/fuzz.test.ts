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
import { atOnce } from '#test/kit/basics/at-once.ts'
import { isFull } from '#test/kit/basics/full-run.ts'
import { runSeed } from '#test/kit/basics/random.ts'
import { openRows, type Rows } from '#test/kit/database/rows.ts'
import { type HostileRequest, hostileRequests, type ValidRequest } from '#test/kit/gateway/hostile.ts'
import { ownStack } from '#test/kit/gateway/in-process.ts'
import { newPerson, type Person } from '#test/kit/gateway/person.ts'
import {
  bytesOf,
  type Connection,
  type Headers,
  headerOf,
  openConnection,
  type RawAnswer,
} from '#test/kit/gateway/raw-http.ts'
import { callbackOf, successOn } from '#test/kit/orders/callbacks.ts'
import type { Counters } from '#test/kit/programs/control.ts'
import type { Stack } from '#test/kit/programs/stack.ts'
import { validRequests } from './valid-requests.ts'

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

  const parts = validRequests({
    orderId,
    unpaidId,
    droppedId,
    awb,
    userId: user.id,
    agentId,
    sessionId,
    offer,
    phone: newPhone(),
    callback: JSON.parse(callbackOf(successOn(payment)).body) as Record<string, unknown>,
  })
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

/** The cookie of the caller, unless the attack sends one itself. */
function cookieOf({ caller, request }: HostileRequest): Headers {
  const cookie = cookies[caller] ?? ''
  const hasCookie = request.headers.some(([header]) => header === 'cookie')
  return cookie === '' || hasCookie ? [] : [['cookie', cookie]]
}

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
    const { request } = hostile
    const bytes = bytesOf({ ...request, headers: [['host', host], ...cookieOf(hostile), ...request.headers] })
    const exchange = async (connection: Connection) => {
      connection.write(bytes)
      const answer = await connection.answer()
      if (answer && headerOf(answer, 'connection') !== 'close') kept.push(connection)
      else connection.destroy()
      return answer
    }
    const used = kept.pop()
    const first = await exchange(used?.isOpen ? used : openConnection(stack.gatewayUrl))
    // Retried once, as clients do: the server may have been about to close the kept connection.
    return first ?? exchange(openConnection(stack.gatewayUrl))
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
    for (const [name, { access, method }] of Object.entries<OperationShape>(operations)) {
      const statuses = [...answers.keys()].filter((key) => key.startsWith(`${name} `))
      // A report may be accepted each time. A callback without its signature, and a call without the session of staff or the
      // key of testers, is refused whatever it says.
      const isAlike =
        ['sendReport', 'receiveCallback'].includes(name) || access === 'staff' || access === 'tester'
      const least = method === 'GET' || isAlike ? 1 : 2
      expect(statuses.length, `${name}: ${statuses}`).toBeGreaterThanOrEqual(least)
    }
  })

  it('have had no effect', async () => {
    expect(await stack.control.counters()).toEqual(before.counters)
    expect(await rows.snapshot()).toEqual(before.snapshot)
    expect(stack.logs().filter((line) => line.startsWith('gateway'))).toEqual([])
  })
})
