import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createGateway } from '#server/app.ts'
import { composeVariables } from '#server/platform/compose-variables.ts'
import { readConfig } from '#server/platform/config.ts'
import { families } from '#server/platform/config-environment.ts'
import { type ConfigRow, configRows } from '#server/platform/config-variables.ts'
import { openDatabase } from '#server/platform/database/open.ts'
import { createLogger } from '#server/platform/logging.ts'
import { errors } from '#shared/errors.ts'
import type { ErrorRow } from '#shared/platform/problem.ts'
import { paymentScripts, providerReason } from '../ops/payment-scripts.ts'
import { deriveDeployments } from './deployments.ts'
import { messagesPage } from './messages-page.ts'
import { phoneMetadata } from './phone-metadata.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** Files derived from the code and from libraries, by path. They are committed, and `--check` compares them. */
export function deriveDocuments(): ReadonlyMap<string, string> {
  return new Map([
    ['.env.example', environmentExample()],
    ['docs/configuration.md', configurationPage()],
    ['docs/errors.md', errorsPage()],
    ['docs/messages.md', messagesPage(howTo)],
    ['docs/payment-page.md', paymentPage()],
    ['client/features/sessions/phone-metadata.json', phoneMetadata()],
    ...deriveDeployments(version),
  ])
}

const howTo = 'npm run derive'

const tables = {
  must: 'Must be set for MODE=live',
  should: 'Should be decided',
  'leave alone': 'Leave alone',
} as const satisfies Record<ConfigRow['table'], string>

const rowsByTable = () => [...Map.groupBy(configRows, ({ table }) => tables[table])]

function environmentExample(): string {
  const head = [
    `# Made by \`${howTo}\`; do not edit.`,
    '# Copy it to .env and set what you need: npm start, npm run dev and docker compose read that file.',
    '# Every variable has a default that works with the simulator; docs/configuration.md explains them.',
    '# A variable marked [secret] may also be given as NAME_FILE, the path of a file that holds it. Unknown names are refused.',
  ]
  const rows = rowsByTable().flatMap(([title, rows]) => [
    '',
    `# --- ${title} ---`,
    ...rows.flatMap((row) => [
      '',
      `# ${row.secret ? '[secret] ' : ''}${row.description.replaceAll('`', '')}`,
      `#${row.name}=${row.secret ? '' : (row.default ?? '')}`,
    ]),
  ])
  const ofCompose = composeVariables.flatMap(({ name, default: fallback, description }) => [
    '',
    `# Only for docker compose. ${description.replaceAll('`', '')}`,
    `#${name}=${fallback}`,
  ])
  return lines([...head, ...rows, ...ofCompose])
}

function configurationPage(): string {
  const live = (row: ConfigRow) => (row.demoOnly ? 'must not be set' : row.url ? 'https' : '')
  const fallback = (row: ConfigRow) => {
    if (row.default === undefined) return ''
    return row.secret ? 'demo value' : `\`${row.default}\``
  }
  return lines([
    '# Configuration',
    '',
    `Made by \`${howTo}\`; do not edit. The rows live in \`server/platform/config-variables.ts\`.`,
    '',
    'All configuration is environment. An empty variable counts as absent. The gateway names everything that does not',
    'fit in one message and does not start; it never prints a value. `MODE=live` refuses demo values, addresses that',
    'are not https, and the simulator.',
    '',
    'A **secret** may also be given as a file: `NAME_FILE` holds its path, as with the secrets of compose, Docker and',
    'Kubernetes. Both at once are refused, and so is an empty file or one that cannot be read.',
    '',
    'Unknown names are refused, with the nearest known one: every one that `.env` sets, and, in the rest of the',
    'environment, which belongs to the machine, those that begin as ours do',
    `(${families.map((family) => `\`${family}\``).join(', ')}), differ from one of ours by two characters at most, or`,
    'are like one of ours word for word (`TRUST_PROXY` for `TRUSTED_PROXIES`).',
    'A removed name is refused, and its replacement is named.',
    'In `.env` other programs’ names may stand too: `COMPOSE_…`, `MOCK_…` of the simulator, `NODE_…`, `OTEL_…`, `TZ`.',
    '',
    ...rowsByTable().flatMap(([title, rows]) => [
      `## ${title}`,
      '',
      '| Variable | Default | In `MODE=live` | Meaning |',
      '|---|---|---|---|',
      ...rows.map(
        (row) =>
          `| \`${row.name}\`${row.secret ? ' (secret)' : ''} | ${fallback(row)} | ${live(row)} | ${cell(row.description)} |`,
      ),
      '',
    ]),
    '## Only compose reads',
    '',
    '| Variable | Default | Meaning |',
    '|---|---|---|',
    ...composeVariables.map(
      ({ name, default: value, description }) => `| \`${name}\` | \`${value}\` | ${cell(description)} |`,
    ),
  ])
}

function errorsPage(): string {
  const rows: readonly [string, ErrorRow][] = Object.entries(errors)
  return lines([
    '# Errors',
    '',
    `Made by \`${howTo}\`; do not edit. The rows live in \`shared/<feature>/<feature>.errors.ts\`.`,
    '',
    'Every failure of the API is `{ success: false, code, message, requestId, fields?, retryAfterSeconds? }`.',
    'Programs read `code`; people read `message`, which comes in their language. A code is never given a new meaning.',
    '',
    '| Code | HTTP | Log | English | Arabic |',
    '|---|---|---|---|---|',
    ...rows.map(
      ([code, { status, level, text }]) =>
        `| \`${code}\` | ${status} | ${level} | ${cell(text.en)} | ${cell(text.ar)} |`,
    ),
  ])
}

function paymentPage(): string {
  return lines([
    '# Scripts of the payment page',
    '',
    `Made by \`${howTo}\`; do not edit. The rows live in \`scripts/ops/payment-scripts.ts\`.`,
    '',
    'Every script that a browser runs on `/payment`, and why (PCI DSS 6.4.3). A script that is not listed here fails',
    '`test/journeys/policy.full.test.ts`, which collects what Chromium loads; the content policy of the page refuses all',
    'others than files of our own origin and the one of the provider.',
    '',
    'The hashes of our scripts belong to the build, which is made from the tag of a release and checked by its image:',
    '`npm run ops -- check-payment-page` computes them from the files of the image, prints them, and compares them with the',
    'bytes that `PUBLIC_URL` sends. The hash of the provider’s script is `PAYMENT_WIDGET_INTEGRITY`, which browsers check, too.',
    '',
    '| Script | Why it runs there | Hash |',
    '|---|---|---|',
    ...Object.entries(paymentScripts).map(
      ([name, reason]) => `| \`/assets/${name}-….js\` | ${reason} | in the build |`,
    ),
    `| \`PAYMENT_WIDGET_SCRIPT\` | ${providerReason} | \`PAYMENT_WIDGET_INTEGRITY\` |`,
  ])
}

export const openApiDocument = (): Promise<string> =>
  withQuietGateway(async (app) =>
    lines([JSON.stringify((await app.inject('/api/openapi.json')).json(), null, 2)]),
  )

type Gateway = Awaited<ReturnType<typeof createGateway>>

/**
 * Runs `work` with a gateway that has the default configuration and an empty database; it neither listens nor
 * calls out.
 */
export async function withQuietGateway<T>(work: (app: Gateway) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'amtiati-quiet-'))
  const unreachable = 'http://127.0.0.1:9'
  const config = readConfig({
    DATA_DIR: dataDir,
    OTP_BASE_URL: unreachable,
    PAYMENT_BASE_URL: unreachable,
    SHIPPING_BASE_URL: unreachable,
    DEMO_CONTROL_KEY: 'a-key-of-the-documents',
  })
  const database = await openDatabase({
    url: undefined,
    dataDir,
    mode: config.MODE,
    onIdleError: () => undefined,
  })
  try {
    const app = await createGateway({ config, database, logger: createLogger('silent'), version })
    try {
      await app.ready()
      return await work(app)
    } finally {
      await app.close()
    }
  } finally {
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const cell = (text: string): string => text.replaceAll('|', '\\|')
const lines = (parts: readonly string[]): string => `${parts.join('\n')}\n`
