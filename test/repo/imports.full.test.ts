import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const config = join(root, '.dependency-cruiser.cjs')
const apps = ['shared', 'pdf', 'server', 'client', 'mock-partner', 'scripts', 'test']

interface Rules {
  forbidden: { name: string }[]
}
const rules: Rules = createRequire(import.meta.url)(config)
const ruleNames = rules.forbidden.map(({ name }) => name)

interface Cruise {
  summary: {
    totalCruised: number
    violations: { from: string; to: string; rule: { name: string } }[]
  }
  modules: { source: string }[]
}

function cruise(cwd: string): Cruise {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'),
      ...['--config', config],
      ...['--output-type', 'json'],
      ...apps,
    ],
    { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  )
  try {
    return JSON.parse(stdout)
  } catch {
    throw new Error(`dependency-cruiser did not finish: ${stderr}${stdout.slice(0, 500)}`)
  }
}

const imports = (...specifiers: string[]) =>
  `${specifiers.map((specifier, index) => `import * as x${index} from '${specifier}'`).join('\n')}\nexport const all = [${specifiers.map((_, index) => `x${index}`).join(', ')}]\n`
const importsTypes = (specifier: string) => `import type { T } from '${specifier}'\nexport type All = T\n`
const leaf = 'export type T = 1\nexport const leaf = 1\n'

/** A small source tree that follows every rule. alpha and beta stand for any two features. */
const lawful: Record<string, string> = {
  'shared/platform/plain.ts': imports('typebox'),
  'shared/wire/otp/otp.wire.ts': imports('typebox', '#shared/platform/plain.ts'),
  'shared/wire/otp/otp.wire.test.ts': imports('vitest', 'node:fs', './otp.wire.ts'),
  'shared/sessions/sessions.schemas.ts': imports('typebox', '#shared/platform/plain.ts'),
  'shared/partner/partner.schemas.ts': imports('typebox'),
  'shared/orders/orders.schemas.ts': imports('#shared/partner/partner.schemas.ts'),
  'shared/checkout/checkout.schemas.ts': imports('#shared/orders/orders.schemas.ts'),
  'shared/payments/payments.schemas.ts': imports('#shared/checkout/checkout.schemas.ts'),
  'shared/config/config.schemas.ts': imports('#shared/orders/orders.schemas.ts'),
  'shared/alpha/alpha.schemas.ts': leaf,
  'shared/operations.ts': imports('#shared/alpha/alpha.schemas.ts', '#shared/payments/payments.schemas.ts'),

  'pdf/sheet.ts': imports('pdfkit'),

  'server/main.ts': imports('./app.ts', './platform/config.ts'),
  'server/app.ts': imports('./http.ts', './features/orders/orders.feature.ts'),
  'server/http.ts': imports('fastify', './features/orders/orders.routes.ts'),
  'server/platform/config.ts': imports('#shared/orders/orders.schemas.ts', '#shared/wire/otp/otp.wire.ts'),
  'server/platform/http-client.ts': imports('node:http'),
  'server/platform/plugins/cookies.ts': imports('fastify', '#shared/operations.ts'),
  'server/platform/database/sqlite.ts': imports('node:sqlite', 'kysely', 'pg'),
  'server/features/partner/partner.service.ts': leaf,
  'server/features/partner/partner.store.ts': imports('kysely'),
  'server/features/orders/orders.rules.ts': imports('node:crypto', '#shared/orders/orders.schemas.ts'),
  'server/features/orders/orders.service.ts': importsTypes('../partner/partner.service.ts'),
  'server/features/orders/orders.feature.ts': imports('./orders.service.ts', './orders.routes.ts'),
  'server/features/orders/orders.routes.ts': imports('fastify', './orders.service.ts'),
  'server/features/orders/orders.store.ts': imports('kysely', '#server/platform/database/sqlite.ts'),
  'server/features/orders/orders.store.contract.ts': imports(
    'vitest',
    '#test/kit/kit.ts',
    './orders.store.ts',
  ),
  'server/features/orders/orders.store.test.ts': imports(
    'vitest',
    './orders.store.contract.ts',
    '#server/features/partner/partner.store.ts',
  ),
  'server/features/payments/payments.receipt.ts': imports('#pdf/sheet.ts'),
  'server/features/payments/payments.webhook.ts': imports('fastify'),
  'server/features/payments/payments.provider.http.ts': imports('#server/platform/http-client.ts'),
  'server/features/shipments/shipments.worker.ts': importsTypes('../payments/payments.service.ts'),
  'server/features/payments/payments.service.ts': importsTypes('../orders/orders.service.ts'),

  'client/main.tsx': imports('./app/router.tsx', 'react'),
  'client/app/router.tsx': imports(
    '../features/alpha/alpha.page.tsx',
    '../features/beta/beta.page.tsx',
    './shell.tsx',
  ),
  'client/app/shell.tsx': imports('../ui/page.tsx'),
  'client/ui/page.tsx': imports('react', '../platform/call.ts'),
  'client/platform/call.ts': imports('#shared/platform/plain.ts'),
  'client/entities/thing/thing-card.tsx': imports(
    '#client/ui/page.tsx',
    '#client/entities/part/part.tsx',
    '#shared/alpha/alpha.schemas.ts',
  ),
  'client/entities/part/part.tsx': imports('#client/platform/call.ts'),
  'client/features/alpha/alpha.page.tsx': imports(
    '#client/entities/thing/thing-card.tsx',
    '#client/ui/page.tsx',
    '#client/platform/call.ts',
    './alpha.rules.ts',
  ),
  'client/features/alpha/alpha.rules.ts': imports('#shared/alpha/alpha.schemas.ts'),
  'client/features/alpha/alpha.page.test.tsx': imports('vitest', '#test/kit/kit.ts', './alpha.page.tsx'),
  'client/features/beta/beta.page.tsx': imports('#shared/operations.ts'),

  'mock-partner/main.ts': imports('./app.ts'),
  'mock-partner/app.ts': imports('fastify', './otp/otp.state.ts', './control/panel.ts'),
  'mock-partner/platform/clock.ts': leaf,
  'mock-partner/otp/otp.label.ts': imports('#pdf/sheet.ts'),
  'mock-partner/otp/otp.state.ts': imports('../platform/clock.ts', '#shared/wire/otp/otp.wire.ts'),
  'mock-partner/control/panel.ts': imports('../otp/otp.state.ts', '../payment/payment.state.ts'),
  'mock-partner/payment/payment.state.ts': imports('../platform/clock.ts', '#shared/platform/plain.ts'),

  'scripts/derive.ts': imports('#server/app.ts', '#shared/operations.ts'),
  'test/kit/kit.ts': imports('vitest', '#shared/operations.ts'),
  'test/api/money.test.ts': imports('vitest', '#test/kit/kit.ts', '#server/app.ts'),
}

/** One file that breaks each rule, and what it needs to break it. */
type Planted = [rule: string, culprit: string, text: string, others?: Record<string, string>]
const planted: Planted[] = [
  [
    'no-cycles',
    'server/features/gamma/gamma.map.ts',
    `${importsTypes('./gamma.rules.ts')}export type T = 1\n`,
    { 'server/features/gamma/gamma.rules.ts': `${importsTypes('./gamma.map.ts')}export type T = 1\n` },
  ],
  ['no-dangling-imports', 'server/features/delta/delta.rules.ts', imports('./nowhere.ts')],
  ['no-undeclared-packages', 'server/features/delta/delta.map.ts', imports('undeclared')],
  [
    'no-barrels',
    'client/features/gamma/gamma.page.tsx',
    imports('./index.ts'),
    { 'client/features/gamma/index.ts': leaf },
  ],
  ['shared-imports-only-typebox', 'shared/gamma/gamma.schemas.ts', imports('node:crypto')],
  [
    'shared-platform-imports-no-feature',
    'shared/platform/nosy.ts',
    imports('#shared/orders/orders.schemas.ts'),
  ],
  [
    'wire-imports-no-contract',
    'shared/wire/payment/nosy.wire.ts',
    imports('#shared/orders/orders.schemas.ts'),
  ],
  ['contract-imports-no-wire', 'shared/orders/leaky.schemas.ts', imports('#shared/wire/otp/otp.wire.ts')],
  [
    'shared-features-import-no-registry',
    'shared/delta/delta.operations.ts',
    imports('#shared/operations.ts'),
  ],
  ['shared-feature-order', 'shared/beta/beta.schemas.ts', imports('#shared/alpha/alpha.schemas.ts')],
  [
    'server-imports-no-app',
    'server/features/delta/delta.worker.ts',
    importsTypes('#client/platform/call.ts'),
  ],
  ['pdf-imports-no-app', 'pdf/nosy.ts', imports('#shared/platform/plain.ts')],
  ['client-imports-no-app', 'client/features/delta/delta.queries.ts', importsTypes('#server/app.ts')],
  ['client-imports-no-app', 'client/features/delta/delta.rules.ts', imports('#shared/wire/otp/otp.wire.ts')],
  ['simulator-imports-no-contract', 'mock-partner/otp/nosy.state.ts', importsTypes('#shared/operations.ts')],
  [
    'simulator-imports-no-contract',
    'mock-partner/otp/guest.state.ts',
    importsTypes('#server/platform/config.ts'),
  ],
  ['nothing-imports-test', 'server/features/delta/delta.service.ts', imports('#test/kit/kit.ts')],
  ['nothing-imports-test', 'scripts/sly.ts', imports('#server/features/orders/orders.store.contract.ts')],
  ['nothing-imports-a-test-file', 'test/api/borrowed.test.ts', imports('#test/api/money.test.ts')],
  ['test-tools-stay-in-tests', 'client/features/delta/delta.page.tsx', imports('vitest')],
  ['only-the-scanner-reads-barcodes', 'client/features/delta/codes.page.tsx', imports('zxing-wasm')],
  ['gateway-ships-without-dev-dependencies', 'server/features/delta/delta.store.ts', imports('antd')],
  ['nothing-imports-main', 'scripts/starter.ts', imports('#server/main.ts')],
  ['nothing-imports-app', 'server/features/delta/delta.webhook.ts', importsTypes('#server/app.ts')],
  ['nothing-imports-app', 'client/features/delta/shell-user.page.tsx', imports('#client/app/shell.tsx')],
  ['nothing-imports-app', 'mock-partner/control/shell-user.ts', imports('#mock/app.ts')],
  [
    'platform-imports-no-feature',
    'server/platform/nosy.ts',
    importsTypes('#server/features/orders/orders.service.ts'),
  ],
  ['platform-imports-no-feature', 'client/ui/nosy.tsx', imports('#client/features/alpha/alpha.page.tsx')],
  ['platform-imports-no-feature', 'mock-partner/platform/nosy.ts', imports('#mock/otp/otp.state.ts')],
  [
    'server-platform-imports-no-contract',
    'server/platform/errors.ts',
    importsTypes('#shared/orders/orders.schemas.ts'),
  ],
  [
    'features-import-only-services',
    'server/features/checkout/checkout.service.ts',
    importsTypes('../orders/orders.store.ts'),
  ],
  [
    'features-import-only-services',
    'server/features/checkout/checkout.rules.ts',
    // A file of that name in another feature is not its entry point.
    importsTypes('../orders/partner.service.ts'),
    { 'server/features/orders/partner.service.ts': leaf },
  ],
  [
    'features-import-only-types',
    'server/features/orders/greedy.service.ts',
    imports('../partner/partner.service.ts'),
  ],
  [
    'server-feature-order',
    'server/features/otp/upside.service.ts',
    importsTypes('../sessions/sessions.service.ts'),
    { 'server/features/sessions/sessions.service.ts': leaf },
  ],
  [
    'client-features-import-no-feature',
    'client/features/beta/curious.page.tsx',
    imports('#client/features/alpha/alpha.rules.ts'),
  ],
  [
    'client-entities-import-no-feature',
    'client/entities/thing/nosy-card.tsx',
    imports('#client/features/alpha/alpha.rules.ts'),
  ],
  ['client-platform-imports-no-ui', 'client/platform/drawing.ts', imports('#client/ui/page.tsx')],
  ['platform-imports-no-feature', 'client/ui/entity-user.tsx', imports('#client/entities/part/part.tsx')],
  [
    'simulated-services-are-separate',
    'mock-partner/payment/curious.state.ts',
    imports('#mock/otp/otp.state.ts'),
  ],
  ['fastify-only-at-entry-points', 'server/features/orders/chatty.service.ts', importsTypes('fastify')],
  ['sql-only-in-stores', 'server/features/orders/clever.service.ts', importsTypes('kysely')],
  ['sql-only-in-stores', 'server/features/orders/clever.routes.ts', imports('node:sqlite')],
  ['sql-only-in-stores', 'server/platform/clever.ts', imports('pg')],
  ['rules-and-maps-do-no-io', 'server/features/orders/reading.rules.ts', imports('node:fs/promises')],
  ['rules-and-maps-do-no-io', 'server/features/orders/calling.map.ts', imports('node:http')],
  ['rules-and-maps-do-no-io', 'client/features/alpha/calling.rules.ts', imports('#client/platform/call.ts')],
  [
    'only-providers-call-out',
    'server/features/orders/calling.worker.ts',
    imports('#server/platform/http-client.ts'),
  ],
  // A feature imports the ones before it in the order. The one of the configuration is the last, and imports nothing later.
  ...ruleNames.flatMap((rule): Planted[] => {
    const [, app, feature = ''] = /^(shared|server)-feature-order-(\w+)$/.exec(rule) ?? []
    const later = feature === 'config' ? 'payments' : 'config'
    if (app === 'shared')
      return [[rule, `shared/${feature}/upside.schemas.ts`, imports(`#shared/${later}/${later}.schemas.ts`)]]
    if (app !== 'server') return []
    const service = `server/features/${later}/${later}.service.ts`
    return [
      [
        rule,
        `server/features/${feature}/upside.service.ts`,
        importsTypes(`#${service}`),
        { [service]: leaf },
      ],
    ]
  }),
]

const packages: Record<string, string[]> = {
  dependencies: ['typebox', 'fastify', 'kysely', 'pg'],
  devDependencies: ['vitest', 'antd', 'react', 'zxing-wasm'],
  undeclared: ['undeclared'],
}

function build(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'amtiati-arrows-'))
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const app of apps) mkdirSync(join(folder, app))
  for (const [path, text] of Object.entries(files)) write(path, text)
  for (const name of Object.values(packages).flat()) {
    write(
      `node_modules/${name}/package.json`,
      JSON.stringify({ name, version: '1.0.0', type: 'module', exports: './main.js' }),
    )
    write(`node_modules/${name}/main.js`, 'export const leaf = 1\n')
  }
  const declared = (kind: string) => Object.fromEntries((packages[kind] ?? []).map((name) => [name, '1.0.0']))
  const { imports: aliases } = createRequire(import.meta.url)(join(root, 'package.json'))
  write(
    'package.json',
    JSON.stringify({
      name: 'planted',
      type: 'module',
      imports: aliases,
      dependencies: declared('dependencies'),
      devDependencies: declared('devDependencies'),
    }),
  )
  copyFileSync(join(root, 'tsconfig.json'), join(folder, 'tsconfig.json'))
  return folder
}

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

describe('the import rules', () => {
  let violations: Cruise['summary']['violations'] = []

  beforeAll(() => {
    const files = Object.assign(
      { ...lawful },
      ...planted.map(([, culprit, text, others]) => ({ [culprit]: text, ...others })),
    )
    const folder = build(files)
    folders.push(folder)
    violations = cruise(folder).summary.violations
  })

  it('have at least one planted violation each', () => {
    expect(new Set(planted.map(([rule]) => rule))).toEqual(new Set(ruleNames))
  })

  it.each(planted)('%s catches %s', (rule, culprit) => {
    const caught = violations.filter(({ from }) => from === culprit).map((violation) => violation.rule.name)
    expect(caught).toContain(rule)
  })

  it('accept a tree that follows them', () => {
    const folder = build(lawful)
    folders.push(folder)
    const { summary, modules } = cruise(folder)
    expect(summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} -> ${to}`)).toEqual([])
    const cruised = modules.map(({ source }) => source)
    expect(cruised).toEqual(expect.arrayContaining(Object.keys(lawful)))
  })
})
