import { describe, expect, it } from 'vitest'
import { configRows } from '#server/platform/config.ts'
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

  it('names no place to download from, so that any registry serves', () => {
    expect(entries.length).toBeGreaterThan(200)
    expect(entries.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([])
  })

  it('holds the packages of every platform, or npm ci refuses it', () => {
    const missing = entries.flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => {
        // As Node resolves: beside the one who needs it, or anywhere above.
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

  it('has the scripts that people and machines rely on, and each starts a file that exists', () => {
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

/** Reads the plain YAML our compose file keeps to: maps, lists and scalars by indentation, comments on lines of their own. */
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
        // A map that begins on the line of its dash: its other keys stand two deeper.
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

  it('starts the gateway after the simulator works', () => {
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
    const outsiders = urls.filter(([name]) => name.endsWith('_BASE_URL'))
    const browser = urls.filter(([name]) => name.startsWith('PAYMENT_WIDGET_'))
    expect(outsiders.length).toBe(3)
    expect(browser.length).toBe(3)
    expect(outsiders.filter(([, value]) => !value.includes('http://mock-partner:4000/'))).toEqual([])
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
    expect(copied.filter((path) => !allowed.includes(`!${path}`))).toEqual([])
  })

  it('runs without rights, says how it is, and keeps the simulator out of the gateway', () => {
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

describe('the repository', () => {
  it('holds no address of anybody’s machine', () => {
    const texts = repoFiles('', /\.(ts|tsx|mjs|cjs|json|md|yml|css|html)$|^Dockerfile$|^\.ci\/run$/)
    const machine = /(?<![\w.])\/(?:work|root|home\/\w+|Users\/\w+)\//
    expect(texts.filter((path) => machine.test(readRepoFile(path)))).toEqual([])
  })
})
