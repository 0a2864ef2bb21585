import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createGateway } from '#server/app.ts'
import { composeVariables } from '#server/platform/compose-variables.ts'
import { readConfig } from '#server/platform/config.ts'
import { type ConfigRow, configRows } from '#server/platform/config-variables.ts'
import { openDatabase } from '#server/platform/database/open.ts'
import { createLogger } from '#server/platform/logging.ts'
import { errors } from '#shared/errors.ts'
import type { ErrorRow } from '#shared/platform/problem.ts'
import { paymentScripts, providerReason } from '../ops/payment-scripts.ts'
import { codeLetterTemplate } from './code-letter.ts'
import { letterPictures } from './letter-pictures.ts'
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
    ['server/features/messages/letter-pictures.json', letterPictures()],
    ['shared/wire/otp/code-letter.html', codeLetterTemplate()],
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
    'An empty variable counts as absent. The gateway names all faults in one message, without values, and does not start.',
    '`MODE=live` refuses demo values, addresses that are not https, and the simulator. A **secret** may be given as a file:',
    '`NAME_FILE` holds its path.',
    '',
    'Unknown names are refused, with the nearest known one: all that `.env` sets, and in the environment those that begin',
    'as ours do or look like ours. A removed name is refused, and its replacement is named. `.env` may also hold',
    '`COMPOSE_…`, `MOCK_…`, `NODE_…`, `OTEL_…` and `TZ`.',
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
    `Made by \`${howTo}\`; do not edit. The rows live in \`shared/<feature>/<feature>.errors.ts\`, with the Arabic texts.`,
    '',
    'Every failure of the API is `{ success: false, code, message, requestId, fields?, retryAfterSeconds? }`.',
    'Programs read `code`; people read `message`, which comes in their language. A code is never given a new meaning.',
    '',
    '| Code | HTTP | Log | English |',
    '|---|---|---|---|',
    ...rows.map(
      ([code, { status, level, text }]) => `| \`${code}\` | ${status} | ${level} | ${cell(text.en)} |`,
    ),
  ])
}

function paymentPage(): string {
  return lines([
    '# Scripts of the payment page',
    '',
    `Made by \`${howTo}\`; do not edit. The rows live in \`scripts/ops/payment-scripts.ts\`.`,
    '',
    'Every script that a browser runs on `/payment`, and why (PCI DSS 6.4.3). Another one fails',
    '`test/journeys/policy.full.test.ts`. `npm run ops -- check-payment-page` prints the hashes of our scripts and compares',
    'them with the bytes that `PUBLIC_URL` sends; browsers check the provider’s by `PAYMENT_WIDGET_INTEGRITY`.',
    '',
    '| Script | Why it runs there |',
    '|---|---|',
    ...Object.entries(paymentScripts).map(([name, reason]) => `| \`/assets/${name}-….js\` | ${reason} |`),
    `| \`PAYMENT_WIDGET_SCRIPT\` | ${providerReason} |`,
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
