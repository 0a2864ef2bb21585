import { spawnSync } from 'node:child_process'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { createNetworkCheck } from '#server/platform/address.ts'
import { composeVariables } from '#server/platform/compose-variables.ts'
import { ConfigError, readConfig, widgetStyles } from '#server/platform/config.ts'
import { configRows } from '#server/platform/config-variables.ts'
import { gatewayLimits } from '#server/platform/gateway-limits.ts'
import { isFull } from '#test/kit/basics/full-run.ts'
import { errorPage, findHaproxy, hostFile } from '#test/kit/programs/haproxy.ts'
import { activeServices, Compose, interpolate, parseCompose, readCompose } from '#test/kit/repo/compose.ts'
import { isInRepo, readRepoFile, repoRoot } from '#test/kit/repo/repo-files.ts'

const compose = readCompose()
const services = Object.entries(compose.services)
const known = new Map([...configRows, ...composeVariables].map((row) => [row.name, row]))
const stages = [...readRepoFile('Dockerfile').matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, name]) => name)

/** As `docker compose up` reads it beside docker-compose.yml. */
const override = parseCompose(readRepoFile('docker-compose.override.yml'))
const gateways = services.flatMap(([name, { build }]) => (build?.target === 'gateway' ? [name] : []))

/** The environment of a gateway's container: its `environment` wins over `.env`, which also fills its variables. */
function gatewayEnvironment(dotEnv: Readonly<Record<string, string>>, name = 'gateway') {
  const own = Object.entries({
    ...compose.services[name]?.environment,
    ...override.services[name]?.environment,
  })
  return { ...dotEnv, ...Object.fromEntries(own.map(([name, value]) => [name, interpolate(value, dotEnv)])) }
}

function reasonsOf(dotEnv: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig(gatewayEnvironment(dotEnv))
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.reasons
    throw error
  }
}

describe('docker-compose.yml', () => {
  it('has only keys of compose, each with a value of its kind', () => {
    expect([...Value.Errors(Compose, compose)]).toEqual([])
    expect(Value.Check(Compose, { services: { gateway: { imagee: 'x' } } })).toBe(false)
  })

  it('starts gateway and database without a profile, and the simulator with that of the demo', () => {
    expect(activeServices(compose)).toEqual(['gateway', 'database'])
    expect(activeServices(compose, ['demo'])).toEqual(['gateway', 'mock-partner', 'database'])
    expect(activeServices(compose, ['proxy'])).toEqual(['gateway', 'gateway-2', 'proxy', 'database'])
  })

  it('starts the simulator, too, beside the file that `docker compose up` adds', () => {
    const files = known.get('COMPOSE_FILE')?.default?.split(':') ?? []
    expect(files).toEqual(['docker-compose.yml', 'docker-compose.override.yml'])
    expect([...Value.Errors(Compose, override)]).toEqual([])
    // A list in the second file is added to that of the first one, unless it is reset.
    expect(override.services['mock-partner']).toEqual({ profiles: [] })
    expect(activeServices(override)).toEqual([])
    expect(readRepoFile(files[1] ?? '')).toContain('profiles: !reset []\n')
    const { profiles: _, ...simulator } = compose.services['mock-partner'] ?? {}
    const both = { ...compose, services: { ...compose.services, 'mock-partner': simulator } }
    expect(activeServices(both)).toEqual(['gateway', 'mock-partner', 'database'])
  })

  it('has for developers a container of all sources, and brings each change of them into it', () => {
    const { build, develop, ports = [], environment = {} } = override.services.dev ?? {}
    expect(stages).toContain(build?.target)
    expect(activeServices(override, ['dev'])).toContain('dev')
    const synced = develop?.watch.flatMap((each) => (each.action === 'sync' ? [each] : [])) ?? []
    const sources = ['shared', 'pdf', 'server', 'client', 'mock-partner']
    expect(synced.map(({ path }) => path)).toEqual(sources)
    for (const { path, target } of synced) expect(target).toBe(`/app/${path}`)
    const ignored = readRepoFile('.dockerignore').split('\n')
    for (const { path } of develop?.watch ?? []) {
      expect(isInRepo(path), path).toBe(true)
      expect(ignored).toContain(`!${path}`)
    }
    // Browsers reach Vite and the simulator by the ports that these listen on.
    expect(ports).toEqual(Object.values(environment).map((port) => `127.0.0.1:${port}:${port}`))
    expect(Object.keys(environment)).toEqual(['VITE_PORT', 'MOCK_PARTNER_PORT'])
  })

  it('waits in the demo until the simulator is healthy', () => {
    expect(compose.services.gateway?.depends_on?.['mock-partner']?.condition).toBe('service_healthy')
  })

  it('names only stages, volumes, services and files that exist', () => {
    const named = Object.keys(compose.volumes ?? {})
    const isThere = (source: string) => (source.startsWith('.') ? isInRepo(source) : named.includes(source))
    for (const [, { build, volumes = [], depends_on = {} }] of services) {
      if (build !== undefined) expect(stages).toContain(build.target)
      expect(volumes.map((volume) => volume.split(':')[0] ?? '').filter((each) => !isThere(each))).toEqual([])
      for (const other of Object.keys(depends_on)) expect(Object.keys(compose.services)).toContain(other)
    }
  })

  it('sets only variables that the configuration knows', () => {
    const ours = services.filter(([, { build }]) => build !== undefined)
    expect(ours.length).toBeGreaterThan(2)
    for (const [name, { environment = {} }] of ours)
      expect(
        Object.keys(environment).filter((variable) => !known.has(variable)),
        name,
      ).toEqual([])
    const used = [...readRepoFile('docker-compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name)
    expect(used.length).toBeGreaterThan(10)
    expect(used.filter((name) => !known.has(name))).toEqual([])
    // Compose itself reads the names of its files.
    for (const { name, default: fallback } of composeVariables.filter(({ name }) => name !== 'COMPOSE_FILE'))
      expect(readRepoFile('docker-compose.yml')).toContain(`\${${name}:-${fallback}}`)
  })

  it('publishes each service on its variable’s default port, to this machine alone', () => {
    for (const [service, variable] of [
      ['gateway', 'PORT'],
      ['mock-partner', 'MOCK_PARTNER_PORT'],
      ['proxy', 'PROXY_PORT'],
    ] as const) {
      const fallback = known.get(variable)?.default
      expect(compose.services[service]?.ports).toEqual([`127.0.0.1:\${${variable}:-${fallback}}:${fallback}`])
    }
    expect(compose.services.gateway?.environment?.PORT).toBe(known.get('PORT')?.default)
    const published = services.filter(([, { ports = [] }]) => ports.length > 0).map(([name]) => name)
    expect(published).toEqual(['gateway', 'proxy', 'mock-partner'])
  })

  it.each(services)('%s has a read-only file system, no capability, and gains none', (_, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    expect(service.tmpfs).toContain('/tmp')
  })

  it('calls the database healthy once it can be reached as gateways reach it', () => {
    // The temporary server of a first start listens at the socket alone.
    const { test = [] } = compose.services.database?.healthcheck ?? {}
    const command = test.join(' ')
    expect(command).toMatch(/^CMD(-SHELL)? pg_isready /)
    expect(command).toMatch(/ (-h|--host)[ =]127\.0\.0\.1( |$)/)
  })

  it('runs no service as root', () => {
    // The others run as the user of their image: our own (see the Dockerfile), and HAProxy's.
    expect(compose.services.database?.user).toBe('postgres')
  })
})

describe('the gateways that compose starts', () => {
  it('have the same environment, in the demo and live', () => {
    expect(gateways).toEqual(['gateway', 'gateway-2'])
    for (const { services: ofFile } of [compose, override])
      for (const name of gateways) expect(ofFile[name]?.environment).toEqual(ofFile.gateway?.environment)
    for (const env of [{}, liveEnv])
      for (const name of gateways)
        expect(readConfig(gatewayEnvironment(env, name)), name).toEqual(readConfig(gatewayEnvironment(env)))
  })

  it.each(gateways)('run the demo without any variable, against the simulator by its name: %s', (gateway) => {
    const config = readConfig(gatewayEnvironment({}, gateway))
    expect(config.MODE).toBe('demo')
    for (const { name } of configRows.filter(({ name }) => name.endsWith('_BASE_URL')))
      expect(String(config[name as keyof typeof config]), name).toMatch(/^http:\/\/mock-partner:4000\//)
    expect(widgetStyles(config)).toEqual([
      'http://localhost:4000/payment/widget/styles.css',
      'http://localhost:4000/payment/widget/main.css',
    ])
    expect(config.PAYMENT_WIDGET_FRAMES).toEqual(['http://localhost:4000'])
    expect(config.SMTP_URL).toBe('smtp://mock-partner:4025')
  })

  it.each(gateways)('have no mail server live unless one is named: %s', (gateway) => {
    expect(readConfig(gatewayEnvironment(liveEnv, gateway)).SMTP_URL).toBeUndefined()
  })

  const liveEnv: Readonly<Record<string, string>> = {
    ...Object.fromEntries(
      configRows
        .filter(({ table, name }) => table === 'must' && name !== 'DATABASE_URL')
        .map(({ name }) => [name, name === 'PAYMENT_INTEGRATION_ID' ? '4711' : `live-${name.toLowerCase()}`]),
    ),
    MODE: 'live',
    DATABASE_PASSWORD: 'a0b1c2d3e4f5',
    PUBLIC_URL: 'https://amtiati.example',
    TRUSTED_PROXIES: '',
    CALLBACK_URL: 'https://amtiati.example',
    OTP_BASE_URL: 'https://verify.twilio.com/v2',
    PAYMENT_BASE_URL: 'https://ksa.paymob.com',
    PAYMENT_WIDGET_SCRIPT: 'https://cdn.jsdelivr.net/npm/paymob-pixel@1.2.7/main.js',
    PAYMENT_WIDGET_INTEGRITY: `sha384-${'A'.repeat(64)}`,
    PAYMENT_WIDGET_FRAMES: 'https://ksa.checkout.paymob.com,https://ksa.paymob.com',
    SHIPPING_BASE_URL: 'https://ecomapis.smsaexpress.com',
  }

  it('goes live with MODE=live and the keys in .env', () => {
    expect(reasonsOf(liveEnv)).toEqual([])
    const config = readConfig(gatewayEnvironment(liveEnv))
    expect(config.DATABASE_URL).toBe('postgres://amtiati:a0b1c2d3e4f5@database:5432/amtiati')
    expect(widgetStyles(config)).toEqual([])
  })

  it('trusts the proxy of compose at its fixed address, unless another one is named', () => {
    const address = compose.services.proxy?.networks?.default?.ipv4_address ?? ''
    for (const env of [{}, liveEnv])
      expect(readConfig(gatewayEnvironment(env)).TRUSTED_PROXIES).toEqual([address])
    for (const named of ['10.0.0.9', 'none'])
      expect(gatewayEnvironment({ ...liveEnv, TRUSTED_PROXIES: named }).TRUSTED_PROXIES).toBe(named)
    const [network] = compose.networks?.default?.ipam.config ?? []
    expect(createNetworkCheck([network?.subnet ?? ''])(address)).toBe(true)
    // Docker gives no other container the address while the proxy is away.
    expect(createNetworkCheck([network?.ip_range ?? ''])(address)).toBe(false)
    expect(address).not.toBe(network?.gateway)
  })

  it('refuses to go live with the demo’s password, or with an address that is left out', () => {
    const { DATABASE_PASSWORD: _, ...without } = liveEnv
    expect(reasonsOf(without)).toEqual(['DATABASE_URL has the password of the demo'])
    expect(reasonsOf({ ...liveEnv, SHIPPING_BASE_URL: '' })).toEqual([
      'SHIPPING_BASE_URL points at the simulator or at this machine',
    ])
  })

  it('leaves DATABASE_URL to a file when it is set to nothing', () => {
    expect(gatewayEnvironment({ DATABASE_URL: '' }).DATABASE_URL).toBe('')
  })
})

describe('deploy/haproxy.cfg', () => {
  const config = readRepoFile('deploy/haproxy.cfg')

  it('names the gateways of compose and asks each whether it is ready', () => {
    const servers = [...config.matchAll(/^ {2}server \S+ "\$\{\w+-(\S+):(\d+)\}"/gm)]
    // Each backend has both: of requests and of event streams, for each of three states of a gateway, and of files.
    expect(servers.map(([, name]) => name)).toEqual(Array(7).fill(['gateway', 'gateway-2']).flat())
    for (const [, name = '', port] of servers)
      expect(compose.services[name]?.environment?.PORT, name).toBe(port)
  })

  it('keeps no idle connection longer than the gateway', () => {
    const seconds = Number(/^ {2}timeout http-keep-alive (\d+)s$/m.exec(config)?.[1])
    expect(seconds * 1_000).toBeLessThan(gatewayLimits.keepAliveTimeoutMs)
  })

  it('finds the page for an outage where compose mounts it', () => {
    const pages = new Set([...config.matchAll(/file "\$\{ERROR_PAGE-(\S+)\}"/g)].map(([, path]) => path))
    expect([...pages]).toHaveLength(1)
    expect(JSON.stringify(compose.services.proxy)).toContain(`./deploy/unavailable.html:${[...pages][0]}:ro`)
  })

  it('shows its metrics to this machine and to the network of compose alone', () => {
    const [, address] = /^ {2}bind "\$\{PROXY_METRICS-(.+)\}"$/m.exec(config) ?? []
    expect(address).toMatch(/^127\.0\.0\.1:\d+$/)
    const port = address?.split(':')[1]
    expect(compose.services.proxy?.environment).toEqual({ PROXY_METRICS: `:${port}` })
    expect(JSON.stringify(services.map(([, { ports = [] }]) => ports))).not.toContain(port)
    expect(readRepoFile('deploy/monitoring/prometheus.yml')).toContain(`targets: ['localhost:${port}']`)
  })

  it('leaves user and folder to the container, and has both for a host in a file of its own', () => {
    expect(config).not.toMatch(/^ {2}(user|group|uid|gid|chroot) /m)
    expect(readRepoFile('deploy/haproxy-host.cfg')).toMatch(
      /^global\n {2}user haproxy\n {2}group haproxy\n {2}chroot \/var\/lib\/haproxy\n$/m,
    )
    expect(readRepoFile('docs/operate.md')).toContain('-f /etc/haproxy/haproxy-host.cfg')
  })

  // In the full run only: `npm test` must not need HAProxy.
  // HAProxy is asked in the full run alone: it is no part of the installation.
  const inFullRun = isFull ? it : () => {}
  for (const [where, more] of [
    ['in the container', []],
    ['on a host', ['-f', hostFile]],
  ] as const)
    inFullRun(`is valid for HAProxy ${where}, without a warning`, () => {
      const { status, stderr } = spawnSync(
        findHaproxy(),
        ['-dW', '-c', '-f', `${repoRoot}deploy/haproxy.cfg`, ...more],
        {
          encoding: 'utf8',
          env: { ...process.env, ...errorPage },
        },
      )
      expect(status, stderr).toBe(0)
    })
})
