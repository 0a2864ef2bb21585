import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { widgetOf } from '#server/features/config/config.rules.ts'
import { createPages } from '#server/pages.ts'
import { type Config, readConfig } from '#server/platform/config.ts'
import { readConfig as readConfigOperation } from '#shared/config/config.operations.ts'
import { languages } from '#shared/platform/language.ts'
import { pages } from '#shared/platform/pages.ts'
import { root } from '../lib/repo.mjs'
import { nameOfScript, paymentScripts } from './payment-scripts.ts'

export interface PageCheck {
  readonly lines: readonly string[]
  readonly differences: number
}

const timeoutMs = 20_000
async function ask(url: string): Promise<Response> {
  try {
    return await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
  } catch (cause) {
    throw new Error(`${new URL(url).origin} does not answer`, { cause })
  }
}

const hashOf = (bytes: Uint8Array, algorithm = 'sha384') =>
  `${algorithm}-${createHash(algorithm).update(bytes).digest('base64')}`

/** Differ between answers, connections or encodings. */
const changing = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'set-cookie',
  'vary',
  'x-request-id',
])
const withoutNonces = (html: string) => html.replaceAll(/(nonce=")[^"]*/g, '$1')

/** One line of the comparison. */
interface Finding {
  readonly isSame: boolean
  readonly line: string
}
const same = (what: string): Finding => ({ isSame: true, line: `same       ${what}` })
const different = (what: string): Finding => ({ isSame: false, line: `DIFFERENT  ${what}` })

/**
 * Compares the payment page for browsers with what this build and configuration make: headers, document, the
 * bytes of every script, and the widget that `GET /api/config` names (PCI DSS 11.6.1).
 * @param origin under which the page is requested
 */
export async function comparePaymentPage(
  config: Config,
  { origin = config.PUBLIC_URL, clientRoot = join(root, 'dist/client') } = {},
): Promise<PageCheck> {
  const own = await createPages(config, clientRoot)
  const files = (await readdir(join(clientRoot, 'assets'))).filter((file) => file.endsWith('.js'))
  const findings: Finding[] = []
  for (const { code } of Object.values(languages)) {
    const path = `${pages.payment}?lang=${code}`
    const [expected, actual] = [await own.inject(path), await ask(`${origin}${path}`)]
    findings.push(...(await compareDocument(path, expected, actual)))
  }
  await own.close()
  for (const name of Object.keys(paymentScripts)) {
    const file = files.find((each) => nameOfScript(each) === name)
    findings.push(
      file === undefined
        ? different(`the build has no script ${name}: the inventory is of another build`)
        : await compareScript(
            `${origin}/assets/${file}`,
            `/assets/${file}`,
            await readFile(join(clientRoot, 'assets', file)),
          ),
    )
  }
  findings.push(await compareWidgetName(config, origin), await compareWidget(config))
  return {
    lines: findings.map(({ line }) => line),
    differences: findings.filter(({ isSame }) => !isSame).length,
  }
}

type Injected = Awaited<ReturnType<Awaited<ReturnType<typeof createPages>>['inject']>>

async function documentFaults(expected: Injected, actual: Response): Promise<string[]> {
  const headers = Object.entries(expected.headers).filter(
    ([name, value]) => !changing.has(name) && actual.headers.get(name) !== String(value),
  )
  const named = [...expected.body.matchAll(/(?:src|href)="(\/assets\/[\w.-]+\.js)"/g)]
  const unlisted = [...new Set(named.map(([, file = '']) => file))].filter(
    (file) => !(nameOfScript(file) in paymentScripts),
  )
  const isSame = withoutNonces(await actual.text()) === withoutNonces(expected.body)
  return [
    ...(actual.status === expected.statusCode ? [] : [`status ${actual.status}`]),
    ...headers.map(([name, value]) => `header ${name} is ${actual.headers.get(name)}, not ${value}`),
    ...(isSame ? [] : ['the document']),
    ...unlisted.map((file) => `${file} is not in the inventory`),
  ]
}

async function compareDocument(path: string, expected: Injected, actual: Response): Promise<Finding[]> {
  const faults = await documentFaults(expected, actual)
  if (faults.length === 0) return [same(`${path}: headers and document`)]
  return faults.map((fault) => different(`${path}: ${fault}`))
}

async function compareScript(url: string, path: string, expected: Buffer): Promise<Finding> {
  const actual = await ask(url)
  const bytes = new Uint8Array(await actual.arrayBuffer())
  if (actual.status === 200 && expected.equals(bytes)) return same(`${path} ${hashOf(bytes)}`)
  return different(`${path}: status ${actual.status}, ${hashOf(bytes)}, not ${hashOf(expected)}`)
}

async function compareWidgetName(config: Config, origin: string): Promise<Finding> {
  const answer = await ask(`${origin}${readConfigOperation.path}`)
  const { widget } = (await answer.json()) as { widget?: unknown }
  if (isDeepStrictEqual(widget, widgetOf(config))) return same(`${readConfigOperation.path}: the widget`)
  return different(`${readConfigOperation.path}: the widget is ${JSON.stringify(widget)}`)
}

async function compareWidget({
  PAYMENT_WIDGET_SCRIPT: url,
  PAYMENT_WIDGET_INTEGRITY: integrity,
}: Config): Promise<Finding> {
  const script = await ask(url)
  const bytes = new Uint8Array(await script.arrayBuffer())
  const isAllowed = integrity?.split(' ').some((each) => each === hashOf(bytes, each.split('-')[0])) ?? true
  if (script.status !== 200 || !isAllowed)
    return different(`${url}: status ${script.status}, ${hashOf(bytes)}`)
  return { isSame: true, line: `${integrity ? 'same      ' : 'unchecked '} ${url} ${hashOf(bytes)}` }
}

/** `npm run ops -- check-payment-page`: prints the comparison; exit code 1 for a difference. */
export async function checkPaymentPage(): Promise<void> {
  const { lines, differences } = await comparePaymentPage(readConfig(process.env))
  console.log(lines.join('\n'))
  console.log(differences === 0 ? 'no difference' : `differences: ${differences}`)
  if (differences > 0) process.exitCode = 1
}
