import { spawnSync } from 'node:child_process'
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts'
import type { ConfigMap } from 'kubernetes-types/core/v1.d.ts'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { parseProxies, proxiesPlaceholder } from '#server/platform/config-parsers.ts'
import { configRows } from '#server/platform/config-variables.ts'
import { gatewayLimits } from '#server/platform/gateway-limits.ts'
import { fileReserve } from '#server/platform/open-files.ts'
import { stopGraceMs, stopMarginMs } from '#server/platform/plugins/graceful-close.ts'
import { healthPaths } from '#server/platform/plugins/health.ts'
import { workKinds } from '#shared/platform/desk-words.ts'
import { isFull } from '#test/kit/basics/full-run.ts'
import { findOnPath } from '#test/kit/programs/programs.ts'
import { readCompose } from '#test/kit/repo/compose.ts'
import { isInRepo, readRepoFile, repoFiles, repoRoot, testFile } from '#test/kit/repo/repo-files.ts'
import { parseSource } from '#test/kit/repo/source-tree.ts'
import { programEnv, programFlags } from '../../scripts/lib/repo.mjs'

interface LockEntry {
  version?: string
  resolved?: string
  dev?: boolean
  optional?: boolean
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
const lock: { packages: Record<string, LockEntry> } = JSON.parse(readRepoFile('package-lock.json'))
const manifest: {
  version: string
  scripts: Record<string, string>
  dependencies: Record<string, string>
  /** The packages that only the simulator loads. */
  optionalDependencies: Record<string, string>
  devDependencies: Record<string, string>
  allowScripts: Record<string, boolean>
} = JSON.parse(readRepoFile('package.json'))

/** The place in the lock file of a package that the one at `path` depends on: its own node_modules or those of a folder above. */
const placeOf = (name: string, path: string) =>
  path
    .split('/node_modules/')
    .map((_, index, parts) => parts.slice(0, index + 1).join('/node_modules/'))
    .toReversed()
    .map((folder) => (folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`))
    .concat(`node_modules/${name}`)
    .find((place) => lock.packages[place] !== undefined)

describe('package-lock.json', () => {
  const entries = Object.entries(lock.packages).filter(([path]) => path !== '')

  it('names no download addresses, so that any registry serves', () => {
    expect(entries.length).toBeGreaterThan(200)
    expect(entries.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([])
  })

  it('holds the packages of every platform, or npm ci refuses it', () => {
    const missing = entries.flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => placeOf(name, path) === undefined),
    )
    expect(missing).toEqual([])
  })
})

describe('package.json', () => {
  it('pins every version exactly', () => {
    const versions = Object.entries({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.devDependencies,
    })
    expect(versions.length).toBeGreaterThan(20)
    expect(
      versions.filter(([, version]) => !/^(npm:[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
    ).toEqual([])
  })
})

it('lets the install scripts run that packages have on any platform', () => {
  const scripted = Object.entries(lock.packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^node_modules\//, ''))
  expect(Object.keys(manifest.allowScripts).sort()).toEqual(scripted.sort())
})

it('tracks no file that git ignores: what a build makes is not committed', ({ skip }) => {
  const git = spawnSync('git', ['ls-files', '--cached', '--ignored', '--exclude-standard'], {
    cwd: repoRoot,
    encoding: 'utf8',
  })
  if (git.status !== 0) skip('no git, or no repository')
  expect(git.stdout).toBe('')
})

const dockerfile = readRepoFile('Dockerfile')
/** The stage of its image. */
const gateway = dockerfile.slice(
  dockerfile.search(/^FROM \S+ AS gateway$/m),
  dockerfile.search(/^FROM \S+ AS mock-partner$/m),
)

describe('the packages of the images', () => {
  const code = /\.(ts|mjs|js)$/
  const required = Object.keys(manifest.dependencies)
  const simulators = Object.keys(manifest.optionalDependencies)
  const installed = [...required, ...simulators, ...Object.keys(manifest.devDependencies)]
  const tools = [...gateway.matchAll(/^COPY (scripts\/.+) scripts\/\S*$/gm)]
    .flatMap(([, paths = '']) => paths.split(' '))
    .flatMap((path) => (code.test(path) ? [path] : repoFiles(path, code, testFile)))
  const gatewayFiles = ['server', 'shared', 'pdf']
    .flatMap((folder) => repoFiles(folder, code, testFile))
    .concat(tools)

  /** The installed packages that the code of these files loads, by an import or by a path. */
  function loadedBy(files: readonly string[]): Set<string> {
    const loaded = new Set<string>()
    const addFrom = (node: ts.Node) => {
      const text = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) ? node.text : undefined
      if (text === undefined || !isLoaded(node, text)) return
      const name = `${text.replace(/^\/node_modules\//, '')}/`
      for (const each of installed) if (name.startsWith(`${each}/`)) loaded.add(each)
    }
    for (const path of files) parseSource(path).visit(addFrom)
    return loaded
  }

  /** In an import that is not one of types, in a call such as `import()` or `resolve()`, or the path of a served file. */
  function isLoaded(node: ts.Node, text: string): boolean {
    const parent = ts.isTemplateHead(node) ? node.parent.parent : node.parent
    if (ts.isImportDeclaration(parent)) return parent.importClause?.isTypeOnly !== true
    return ts.isCallExpression(parent) || text.startsWith('/node_modules/')
  }

  it('are in that of the gateway those that it loads, and no others', () => {
    expect(gatewayFiles).toContain('scripts/ops.ts')
    const loaded = loadedBy(gatewayFiles)
    expect([...loaded].filter((name) => !required.includes(name))).toEqual([])
    expect(required.filter((name) => !loaded.has(name))).toEqual([])
  })

  it('are in that of the simulator also its own, each of which it loads', () => {
    const loaded = loadedBy(repoFiles('mock-partner', code, testFile))
    expect(simulators).toContain('oidc-provider')
    expect([...loaded].filter((name) => ![...required, ...simulators].includes(name))).toEqual([])
    expect(simulators.filter((name) => !loaded.has(name))).toEqual([])
  })

  it('are installed without those of the simulator, and with all that the others need', () => {
    const needed = new Set<string>()
    const add = (names: readonly string[], path: string): void => {
      for (const place of names.map((name) => placeOf(name, path) ?? name)) {
        if (needed.has(place)) continue
        needed.add(place)
        add(Object.keys(lock.packages[place]?.dependencies ?? {}), place)
      }
    }
    add(required, '')
    const omitted = Object.keys(lock.packages).filter((path) => {
      const { dev, optional } = lock.packages[path] ?? {}
      return dev || optional
    })
    expect(omitted.filter((path) => needed.has(path))).toEqual([])
    expect(omitted).toEqual(
      expect.arrayContaining([...simulators, 'koa'].map((name) => `node_modules/${name}`)),
    )
  })
})

describe('Dockerfile', () => {
  it('copies only what exists', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(?:--chown=\S+ )?(.+) \S+$/gm)].flatMap(
      ([, sources = '']) => sources.split(' '),
    )
    expect(copied.length).toBeGreaterThan(5)
    expect(copied.filter((path) => !isInRepo(path))).toEqual([])
    const allowed = readRepoFile('.dockerignore').split('\n')
    const isAllowed = (path: string) =>
      path.split('/').some((_, depth, parts) => allowed.includes(`!${parts.slice(0, depth + 1).join('/')}`))
    expect(copied.filter((path) => !isAllowed(path))).toEqual([])
  })

  it('runs without root, has a health check, and keeps the simulator out of the gateway’s image', () => {
    for (const stage of [gateway, dockerfile.slice(dockerfile.search(/^FROM \S+ AS mock-partner$/m))]) {
      expect(stage).toMatch(/^USER node$/m)
      expect(stage).toMatch(/^HEALTHCHECK /m)
    }
    expect(gateway).not.toContain('mock-partner')
    expect(gateway).toContain('--from=gateway-dependencies')
    const installOf = (stage: string) =>
      new RegExp(`^FROM base AS ${stage}\\n[^]*?^RUN npm ci (.+)$`, 'm').exec(dockerfile)?.[1]
    expect(installOf('gateway-dependencies')).toBe('--omit=dev --omit=optional --ignore-scripts')
    expect(installOf('mock-partner-dependencies')).toBe('--omit=dev --ignore-scripts')
  })

  it('starts the programs with the flags and the memory settings of npm start', () => {
    const commands = [...dockerfile.matchAll(/^CMD (\[.+\])$/gm)].map(([, command = '']) =>
      JSON.parse(command),
    )
    expect(commands).toEqual([
      ['node', 'scripts/dev.mjs'],
      ['node', ...programFlags, 'server/main.ts'],
      ['node', ...programFlags, 'mock-partner/main.ts'],
    ])
    const arenas = [...dockerfile.matchAll(/ MALLOC_ARENA_MAX=(\d+)/g)].map(([, most]) => most)
    expect(arenas).toEqual([programEnv.MALLOC_ARENA_MAX, programEnv.MALLOC_ARENA_MAX])
  })

  it('runs the same major version of Node as everything else', () => {
    const major = manifest.devDependencies.node?.split('.')[0]
    expect([...dockerfile.matchAll(/^FROM node:(\d+)/gm)].map(([, version]) => version)).toEqual([major])
  })
})

describe('a gateway in a container, in Kubernetes and under systemd', () => {
  const { gateway: first, 'gateway-2': second, proxy } = readCompose().services
  const unit = readRepoFile('deploy/systemd/amtiati-gateway@.service')
  const objects = parseAllDocuments(readRepoFile('deploy/kubernetes/gateway.yaml')).map((each) => each.toJS())
  const ofKind = <T>(kind: string): T => objects.find((each) => each.kind === kind)
  const { spec: pods } = ofKind<Deployment>('Deployment').spec?.template ?? {}
  const container = pods?.containers[0]

  it('listens on the port that the configuration has by default', () => {
    const port = configRows.find(({ name }) => name === 'PORT')?.default
    expect(dockerfile).toContain(` PORT=${port} `)
    expect(dockerfile).toContain(`EXPOSE ${port}\n`)
    expect(container?.env).toContainEqual({ name: 'PORT', value: port })
    expect(container?.ports).toEqual([{ name: 'http', containerPort: Number(port) }])
  })

  it('is asked where it says whether it lives and is ready', () => {
    const { alive, ready, readyWithDatabase } = healthPaths
    expect(dockerfile).toContain(`\`http://127.0.0.1:\${process.env.PORT}${ready}\``)
    for (const asked of [ready, readyWithDatabase])
      expect(readRepoFile('deploy/haproxy.cfg')).toContain(`option httpchk GET ${asked}\n`)
    expect(proxy?.healthcheck?.test.at(-1)).toBe(`http://127.0.0.1:8080${alive}`)
    const probes = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe]
    expect(probes.map((probe) => probe?.httpGet)).toEqual(
      [alive, alive, ready].map((path) => ({ path, port: 'http' })),
    )
  })

  it('has the same memory and number of processes', () => {
    const [, memory] = /^MemoryMax=(\d+)M$/m.exec(unit) ?? []
    const [, tasks] = /^TasksMax=(\d+)$/m.exec(unit) ?? []
    for (const service of [first, second])
      expect(service).toMatchObject({ mem_limit: `${memory}m`, pids_limit: Number(tasks) })
    expect(container?.resources?.limits).toEqual({ memory: `${memory}Mi` })
  })

  it('may open more files than it accepts connections, and so may the proxy', () => {
    const filesMost = Number(/^LimitNOFILE=(\d+)$/m.exec(unit)?.[1])
    expect(filesMost).toBeGreaterThan(gatewayLimits.maxConnections + fileReserve)
    for (const service of [first, second, proxy]) expect(service?.ulimits?.nofile).toBe(filesMost)
    // HAProxy needs two files for each connection, and refuses to start with fewer.
    const [, connections] = /^ {2}maxconn (\d+)$/m.exec(readRepoFile('deploy/haproxy.cfg')) ?? []
    expect(filesMost).toBeGreaterThan(2 * Number(connections))
  })

  it('is this release, with the flags and the memory settings of npm start', () => {
    expect(container?.image).toBe(`amtiati-gateway:${manifest.version}`)
    expect(unit).toContain(`ExecStart=node ${programFlags.join(' ')} server/main.ts\n`)
    expect(unit).toContain(`Environment=MALLOC_ARENA_MAX=${programEnv.MALLOC_ARENA_MAX}\n`)
  })

  it('does not start in MODE=live before its operator has named the proxy', () => {
    const defaults = ofKind<ConfigMap>('ConfigMap')
    expect(defaults.data).toEqual({ TRUSTED_PROXIES: proxiesPlaceholder })
    // Kubernetes takes the value of the later source.
    expect(container?.envFrom?.map(({ configMapRef }) => configMapRef?.name)).toEqual([
      defaults.metadata?.name,
      'amtiati-gateway',
      undefined,
    ])
    expect(container?.env?.map(({ name }) => name)).not.toContain('TRUSTED_PROXIES')
    // systemd takes the value of the file.
    expect(unit).toContain(`Environment=TRUSTED_PROXIES=${proxiesPlaceholder}\n`)
    expect(() => parseProxies(proxiesPlaceholder)).toThrow('is the placeholder of deploy/: name the proxy')
  })

  it('has the same time to stop', () => {
    const seconds = (stopGraceMs + stopMarginMs) / 1_000
    expect(pods?.terminationGracePeriodSeconds).toBe(seconds)
    expect(unit).toContain(`TimeoutStopSec=${seconds}\n`)
  })

  // No part of the installation, and not there on every system.
  const analyze = isFull ? findOnPath(process.env, ['systemd-analyze']) : undefined
  const withSystemd = analyze === undefined ? () => {} : it
  withSystemd('is a unit that systemd reads without a word, and finds well shut in', () => {
    const path = `${repoRoot}deploy/systemd/amtiati-gateway@.service`
    const ask = (...args: string[]) => spawnSync(analyze ?? '', [...args, path], { encoding: 'utf8' })
    expect(ask('verify')).toMatchObject({ status: 0, stderr: '' })
    // Of 10, in tenths: 9.6 is a unit without any of it.
    expect(ask('security', '--offline=true', '--threshold=20').status).toBe(0)
  })
})

describe('the grace period for stopping', () => {
  const killedAfterMs = stopGraceMs + stopMarginMs
  const inSeconds = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1]) * 1_000

  it('is the same for the gateway, npm start, compose, its proxy and docs/operate.md', () => {
    expect(readRepoFile('scripts/lib/children.mjs')).toContain(
      `graceMs = ${String(killedAfterMs).replace(/000$/, '_000')}\n`,
    )
    const { gateway: first, 'gateway-2': second, proxy } = readCompose().services
    for (const service of [first, second, proxy])
      expect(inSeconds(service?.stop_grace_period ?? '', /^(\d+)s$/)).toBe(killedAfterMs)
    expect(inSeconds(readRepoFile('deploy/haproxy.cfg'), /^ {2}hard-stop-after (\d+)s$/m)).toBe(stopGraceMs)
    const page = readRepoFile('docs/operate.md')
    expect(inSeconds(page, /not done after (\d+) s it gives up and exits 1/)).toBe(stopGraceMs)
    expect(inSeconds(page, /not be ended by force before (\d+) s/)).toBe(killedAfterMs)
  })
})

describe('the repository', () => {
  it('holds no address of a private machine', () => {
    const texts = repoFiles('', /\.(ts|tsx|mjs|cjs|json|md|yml|css|html)$|^Dockerfile$|^\.ci\/run$/)
    // The work lists are pages of the desk.
    const lists = ['[:$]', ...workKinds].join('|')
    const machine = new RegExp(String.raw`(?<![\w.])/(?:work/(?!${lists})|(?:root|home/\w+|Users/\w+)/)`)
    expect(texts.filter((path) => machine.test(readRepoFile(path)))).toEqual([])
  })
})
