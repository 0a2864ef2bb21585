import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { configRows } from '#server/platform/config.ts'
import { stopGraceMs, stopMarginMs } from '#server/platform/plugins/graceful-close.ts'
import { isInRepo, readRepoFile, repoFiles } from '#test/kit/repo-files.ts'

interface LockEntry {
  version?: string
  resolved?: string
  optionalDependencies?: Record<string, string>
}
const lock: { packages: Record<string, LockEntry> } = JSON.parse(readRepoFile('package-lock.json'))
const manifest: {
  scripts: Record<string, string>
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
} = JSON.parse(readRepoFile('package.json'))

describe('package-lock.json', () => {
  const entries = Object.entries(lock.packages).filter(([path]) => path !== '')

  it('names no download addresses, so that any registry serves', () => {
    expect(entries.length).toBeGreaterThan(200)
    expect(entries.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([])
  })

  it('holds the packages of every platform, or npm ci refuses it', () => {
    const missing = entries.flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => {
        // As Node resolves packages: in the node_modules of the dependent or of a folder above.
        const folders = path
          .split('/node_modules/')
          .map((_, index, parts) => parts.slice(0, index + 1).join('/node_modules/'))
        return ![...folders.map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`].some(
          (place) => lock.packages[place] !== undefined,
        )
      }),
    )
    expect(missing).toEqual([])
  })
})

describe('package.json', () => {
  it('pins every version exactly', () => {
    const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
    expect(versions.length).toBeGreaterThan(20)
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  it('has the documented scripts, and each starts a file that exists', () => {
    const promised = [
      'start',
      'dev',
      'build',
      'test',
      'test:full',
      'test:unit',
      'check',
      'format',
      'derive',
      'replay',
      'backup',
      'restore',
      'unlock',
      'ops',
      'move-to-postgres',
    ]
    expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(promised))
    const files = Object.values(manifest.scripts).flatMap(
      (script) => script.match(/\bscripts\/[\w./-]+/g) ?? [],
    )
    expect(files.length).toBeGreaterThan(5)
    expect(files.filter((file) => !isInRepo(file))).toEqual([])
  })
})

describe('.ci/run', () => {
  it('runs npm test and nothing else', () => {
    const lines = readRepoFile('.ci/run').trim().split('\n')
    expect(lines[0]).toBe('#!/usr/bin/env bash')
    expect(lines.at(-1)).toBe('exec npm test')
  })
})

type Yaml = string | Yaml[] | { [key: string]: Yaml }

/** Parses the subset of YAML that docker-compose.yml uses: maps, lists and scalars by indentation, comment lines. */
function readYaml(text: string): Yaml {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('#'))
    .map((line) => ({ depth: line.search(/\S/), text: line.trim() }))
  const scalar = (value: string) => value.replace(/^"(.*)"$/, '$1')
  let at = 0

  function block(depth: number): Yaml {
    if (lines[at]?.text.startsWith('- ')) {
      const items: Yaml[] = []
      while (lines[at]?.depth === depth && lines[at]?.text.startsWith('- ')) {
        const item = lines[at]?.text.slice(2) ?? ''
        if (!/^[\w-]+: /.test(item)) {
          items.push(scalar(item))
          at += 1
          continue
        }
        // A map that begins on the line of its dash: its other keys are indented by two more spaces.
        lines[at] = { depth: depth + 2, text: item }
        items.push(block(depth + 2))
      }
      return items
    }
    const map: { [key: string]: Yaml } = {}
    while (lines[at]?.depth === depth) {
      const [, key = '', value = ''] = /^([\w.-]+):\s*(.*)$/.exec(lines[at]?.text ?? '') ?? []
      if (key === '') throw new Error(`not understood: ${lines[at]?.text}`)
      at += 1
      const next = lines[at]?.depth ?? 0
      map[key] = value !== '' ? scalar(value) : next > depth ? block(next) : ''
    }
    return map
  }
  return block(0)
}

interface Service {
  build: { context: string; target: string }
  ports: string[]
  environment: Record<string, string>
  volumes: string[]
  depends_on?: Record<string, { condition: string }>
}

describe('docker-compose.yml', () => {
  const compose = readYaml(readRepoFile('docker-compose.yml')) as unknown as {
    services: Record<string, Service>
    volumes: Record<string, unknown>
  }
  const services = Object.entries(compose.services)
  const dockerfile = readRepoFile('Dockerfile')
  const stages = new Map(
    dockerfile
      .split(/^(?=FROM )/m)
      .map((stage) => [/^FROM \S+ AS (\S+)/.exec(stage)?.[1] ?? '', stage] as const)
      .filter(([name]) => name !== ''),
  )
  const known = new Map(configRows.map((row) => [row.name, row]))

  it('starts the gateway after the simulator is healthy', () => {
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(['gateway', 'mock-partner']))
    expect(compose.services.gateway?.depends_on?.['mock-partner']?.condition).toBe('service_healthy')
  })

  it('names only stages, volumes and services that exist', () => {
    for (const [, { build, volumes = [], depends_on = {} }] of services) {
      if (build !== undefined) expect([...stages.keys()]).toContain(build.target)
      for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0])
      for (const other of Object.keys(depends_on)) expect(Object.keys(compose.services)).toContain(other)
    }
  })

  it('sets only variables that the configuration knows', () => {
    const ours = services.filter(([, { build }]) => build !== undefined)
    expect(ours.length).toBeGreaterThan(1)
    for (const [name, { environment, ports }] of ours) {
      expect(
        Object.keys(environment).filter((variable) => !known.has(variable)),
        name,
      ).toEqual([])
      const used = JSON.stringify([environment, ports]).matchAll(/\$\{(\w+)/g)
      expect(
        [...used].map(([, variable]) => variable).filter((variable) => !known.has(variable ?? '')),
      ).toEqual([])
    }
  })

  it('publishes each service on its variable’s default port, to this machine alone', () => {
    for (const [service, variable] of [
      ['gateway', 'PORT'],
      ['mock-partner', 'MOCK_PARTNER_PORT'],
    ] as const) {
      const fallback = known.get(variable)?.default
      expect(compose.services[service]?.ports).toEqual([`127.0.0.1:\${${variable}:-${fallback}}:${fallback}`])
      expect(compose.services[service]?.environment[variable]).toBe(fallback)
      expect(stages.get(service)).toContain(`EXPOSE ${fallback}`)
    }
  })

  it('reaches the simulator by name from inside and by this machine’s port from the browser', () => {
    const environment = compose.services.gateway?.environment ?? {}
    const urls = Object.entries(environment).filter(([, value]) => value.includes('http://'))
    const services = urls.filter(([name]) => name.endsWith('_BASE_URL'))
    const browser = urls.filter(([name]) => name.startsWith('PAYMENT_WIDGET_'))
    expect(services.length).toBe(3)
    expect(browser.length).toBe(3)
    expect(services.filter(([, value]) => !value.includes('http://mock-partner:4000/'))).toEqual([])
    const fromOutside = /http:\/\/localhost:\$\{MOCK_PARTNER_PORT:-4000\}/
    expect(browser.filter(([, value]) => !fromOutside.test(value))).toEqual([])
  })
})

describe('Dockerfile', () => {
  const dockerfile = readRepoFile('Dockerfile')
  const gateway = dockerfile.slice(
    dockerfile.search(/^FROM \S+ AS gateway$/m),
    dockerfile.search(/^FROM \S+ AS mock-partner$/m),
  )

  it('copies only what exists', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) =>
      sources.split(' '),
    )
    expect(copied.length).toBeGreaterThan(5)
    expect(copied.filter((path) => !isInRepo(path))).toEqual([])
    const allowed = readRepoFile('.dockerignore').split('\n')
    const isAllowed = (path: string) =>
      path.split('/').some((_, depth, parts) => allowed.includes(`!${parts.slice(0, depth + 1).join('/')}`))
    expect(copied.filter((path) => !isAllowed(path))).toEqual([])
  })

  it('holds the tools of an operator, with every file that they load', () => {
    const copied = [...gateway.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) =>
      sources.split(' '),
    )
    const isCopied = (path: string) => copied.some((each) => path === each || path.startsWith(`${each}/`))
    const tools = ['backup', 'restore', 'move-to-postgres', 'ops', 'unlock']
    const pending = tools.map((tool) => /scripts\/\S+/.exec(manifest.scripts[tool] ?? '')?.[0] ?? tool)
    const loaded = new Set<string>()
    for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
      if (loaded.has(path)) continue
      loaded.add(path)
      for (const [, specifier = ''] of readRepoFile(path).matchAll(/(?:from|import) '([.#][^']+)'/g))
        pending.push(
          specifier.startsWith('#')
            ? specifier.slice(1)
            : posix.normalize(posix.join(posix.dirname(path), specifier)),
        )
    }
    expect(loaded.size).toBeGreaterThan(tools.length + 10)
    expect([...loaded].filter((path) => !isCopied(path))).toEqual([])
    // They may import only packages that the image contains.
    const packages = [...loaded].flatMap((path) =>
      [...readRepoFile(path).matchAll(/from '([a-z@][^']*)'/g)]
        .map(([, name = '']) => name)
        .filter((name) => !name.startsWith('node:'))
        .map((name) =>
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        ),
    )
    expect(packages.filter((name) => manifest.dependencies[name] === undefined)).toEqual([])
  })

  it('runs without root, has a health check, and keeps the simulator out of the gateway’s image', () => {
    for (const stage of [gateway, dockerfile.slice(dockerfile.search(/^FROM \S+ AS mock-partner$/m))]) {
      expect(stage).toMatch(/^USER node$/m)
      expect(stage).toMatch(/^HEALTHCHECK /m)
    }
    expect(gateway).not.toContain('mock-partner')
    expect(gateway).toContain('--from=gateway-dependencies')
    expect(dockerfile).toMatch(/AS gateway-dependencies[\s\S]*?npm ci --omit=dev/)
  })

  it('runs the same major version of Node as everything else', () => {
    const major = manifest.devDependencies.node?.split('.')[0]
    expect([...dockerfile.matchAll(/^FROM node:(\d+)/gm)].map(([, version]) => version)).toEqual([major])
  })
})

describe('the grace period for stopping', () => {
  const killedAfterMs = stopGraceMs + stopMarginMs
  const inSeconds = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]) * 1_000

  it('is the same for the gateway, npm start, compose and the runbook', () => {
    expect(readRepoFile('scripts/lib/children.mjs')).toContain(
      `graceMs = ${String(killedAfterMs).replace(/000$/, '_000')}\n`,
    )
    expect(inSeconds(readRepoFile('docker-compose.yml'), /^ {4}stop_grace_period: (\d+)s$/m)).toBe(
      killedAfterMs,
    )
    const runbook = readRepoFile('docs/runbook.md')
    expect(inSeconds(runbook, /not done after (\d+) s it gives up and exits 1/)).toBe(stopGraceMs)
    expect(inSeconds(runbook, /not be ended by force before (\d+) s/)).toBe(killedAfterMs)
  })
})

describe('the repository', () => {
  it('holds no address of a private machine', () => {
    const texts = repoFiles('', /\.(ts|tsx|mjs|cjs|json|md|yml|css|html)$|^Dockerfile$|^\.ci\/run$/)
    const machine = /(?<![\w.])\/(?:work|root|home\/\w+|Users\/\w+)\//
    expect(texts.filter((path) => machine.test(readRepoFile(path)))).toEqual([])
  })
})
