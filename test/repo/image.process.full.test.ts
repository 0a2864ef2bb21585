import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orderNumber } from '#shared/orders/order-number.ts'
import { newPhone } from '#test/builders/pilgrim.builder.ts'
import { startVisits, type Visits } from '#test/kit/browser/chromium.ts'
import { firstRoute } from '#test/kit/browser/page-orders.ts'
import { cards, stepsOf } from '#test/kit/browser/steps.ts'
import { freshPostgresUrl } from '#test/kit/database/fresh-postgres.ts'
import { openControl } from '#test/kit/programs/control.ts'
import { type Haproxy, startHaproxy } from '#test/kit/programs/haproxy.ts'
import {
  buildImages,
  type Container,
  type Engine,
  findEngine,
  startContainer,
  untilHealthy,
} from '#test/kit/programs/images.ts'
import { onFreePorts } from '#test/kit/programs/ports.ts'
import type { Stack } from '#test/kit/programs/stack.ts'
import { readCompose } from '#test/kit/repo/compose.ts'

/*
 * Both images are built, and run as docker-compose.yml says: two gateways on one empty database of
 * PostgreSQL, which they migrate at the same time, behind the HAProxy of deploy/, and the simulator. PostgreSQL and HAProxy
 * are those of the machine. docs/operate.md names what this does not show.
 */

interface Deployment {
  readonly stack: Stack
  readonly containers: Readonly<Record<'gateway' | 'gateway-2' | 'mock-partner', Container>>
  readonly haproxy: Haproxy
}

const hour = 3_600_000
const agentPhone = '+966500000101'
let deployment: Deployment
let visits: Visits

beforeAll(async () => {
  const engine = findEngine()
  const images = await buildImages(engine)
  visits = await startVisits()
  deployment = await onFreePorts(4, (ports) => deploy(engine, images, ports))
}, hour)
afterAll(async () => {
  await visits?.close()
  await deployment?.stack.close()
})

async function deploy(
  engine: Engine,
  images: Awaited<ReturnType<typeof buildImages>>,
  [proxyPort = 0, onePort = 0, twoPort = 0, mockPort = 0]: readonly number[],
): Promise<Deployment> {
  const gatewayUrl = `http://127.0.0.1:${proxyPort}`
  const mockUrl = `http://localhost:${mockPort}`
  const shared = { PUBLIC_URL: gatewayUrl, CALLBACK_URL: gatewayUrl, MOCK_PARTNER_PORT: String(mockPort) }
  // The names of the containers lead nowhere in the network of this machine.
  const ofCompose = Object.entries(readCompose().services.gateway?.environment ?? {})
  const services = ofCompose
    .filter(([name]) => name.endsWith('_BASE_URL'))
    .map(([name, value]) => [name, value.replace(/^.*:-http:\/\/mock-partner:4000(.*)\}$/, `${mockUrl}$1`)])
  const ofGateways = {
    ...shared,
    ...Object.fromEntries(services),
    DATABASE_URL: await freshPostgresUrl(),
    TRUSTED_PROXIES: '127.0.0.1',
  }
  const started: Container[] = []
  const start = async (...args: [image: string, service: string, env: Record<string, string>]) => {
    const container = await startContainer(engine, ...args)
    started.push(container)
    return container
  }
  let haproxy: Haproxy | undefined
  const close = async () => {
    await haproxy?.close()
    for (const container of started) await container.remove()
  }
  try {
    const simulator = await start(images['mock-partner'], 'mock-partner', shared)
    await untilHealthy(simulator)
    // Both migrate.
    const gateways = await Promise.all([
      start(images.gateway, 'gateway', { ...ofGateways, PORT: String(onePort) }),
      start(images.gateway, 'gateway-2', { ...ofGateways, PORT: String(twoPort) }),
    ])
    for (const gateway of gateways) await untilHealthy(gateway)
    const [one, two] = [onePort, twoPort].map((port) => `http://127.0.0.1:${port}`) as [string, string]
    haproxy = await startHaproxy([one, two], { port: proxyPort, isHasty: true })
    await haproxy.untilUp(2)
    return {
      stack: { gatewayUrl, mockUrl, control: openControl(mockUrl), dataDir: '/data', logs: () => [], close },
      containers: { gateway: gateways[0], 'gateway-2': gateways[1], 'mock-partner': simulator },
      haproxy,
    }
  } catch (error) {
    await close()
    throw error
  }
}

describe.each(['gateway', 'mock-partner'] as const)('the image of %s', (name) => {
  it('runs without root, without a capability, and can gain none', async () => {
    const status = await deployment.containers[name].exec('cat', '/proc/1/status')
    for (const line of [
      /^Uid:\t1000\t1000\t/m,
      /^Cap(?:Eff|Bnd):\t0+\n/m,
      /^NoNewPrivs:\t1$/m,
      /^Seccomp:\t2$/m,
    ])
      expect(status).toMatch(line)
  })

  it('writes into its volume and scratch files, and nowhere else', async () => {
    const container = deployment.containers[name]
    await container.exec('touch', '/data/x', '/tmp/x')
    for (const path of ['/app/x', '/var/tmp/x'])
      await expect(container.exec('touch', path), path).rejects.toThrow('Read-only file system')
  })

  it('has the memory and the processes that compose gives it', async () => {
    const limits = await deployment.containers[name].exec(
      ...[
        'sh',
        '-c',
        'cd /sys/fs/cgroup && cat memory.max pids.max 2>&- || cat memory/memory.limit_in_bytes pids/pids.max',
      ],
    )
    const { mem_limit: memory = '', pids_limit: tasks } = readCompose().services[name] ?? {}
    expect(limits.trim().split('\n').map(Number)).toEqual([Number.parseInt(memory, 10) * 1024 ** 2, tasks])
  })
})

it('a user books and pays through both gateways, and the agent sees the order', async () => {
  const { stack } = deployment
  const visit = await visits.open({ url: stack.gatewayUrl, language: 'ar' })
  const { page, t, ...person } = stepsOf(visit, stack)
  await person.signUp(newPhone(), 'مريم الحربي')
  await person.chooseRoute(await firstRoute(page, agentPhone))
  const form = await person.goToPayment()
  const orderId = Number(new URL(page.url()).searchParams.get('orderId'))
  await person.payWith(form, cards.approved)
  const claim = person.named('dialog', t('payment:thankYou.titles.PAID'))
  await claim.getByText(orderNumber(orderId), { exact: true }).waitFor()
  await claim.getByRole('button', { name: t('awb:full.open'), exact: true }).waitFor()
  await claim.getByRole('button', { name: t('payment:thankYou.close'), exact: true }).click()
  await person.logOut()
  await person.openAgentLogin()
  await person.signInAgent(agentPhone)
  await person.openAssigned(orderId)
  await visit.close()
})

it('the tool of an operator runs beside the gateway', async () => {
  const { gateway } = deployment.containers
  expect(await gateway.exec('npm', 'run', 'ops', '--', 'stuck')).toContain('1 order')
})

it('a gateway that is stopped ends by itself, while the other one serves', async () => {
  const { containers, haproxy, stack } = deployment
  expect(await containers.gateway.stop()).toBe(0)
  await haproxy.untilUp(1)
  expect((await fetch(`${stack.gatewayUrl}/api/partner/centers`)).status).toBe(200)
  expect(await containers['gateway-2'].stop()).toBe(0)
  expect(await containers['mock-partner'].stop()).toBe(0)
})
