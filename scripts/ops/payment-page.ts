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

/**
 * Compares the payment page for browsers with what this build and configuration make: headers, document, the
 * bytes of every script, and the widget that `GET /api/config` names (PCI DSS 11.6.1).
 * @param origin under which the page is requested
 */
export async function comparePaymentPage(
  config: Config,
  { origin = config.PUBLIC_URL, clientRoot = join(root, 'dist/client') } = {},
): Promise<PageCheck> {
  const lines: string[] = []
  let differences = 0
  const differ = (line: string) => {
    differences += 1
    lines.push(`DIFFERENT  ${line}`)
  }

  const own = await createPages(config, clientRoot)
  for (const { code } of Object.values(languages)) {
    const path = `${pages.payment}?lang=${code}`
    const expected = await own.inject(path)
    const actual = await ask(`${origin}${path}`)
    const before = differences
    if (actual.status !== expected.statusCode) differ(`${path}: status ${actual.status}`)
    for (const [name, value] of Object.entries(expected.headers)) {
      if (changing.has(name) || actual.headers.get(name) === String(value)) continue
      differ(`${path}: header ${name} is ${actual.headers.get(name)}, not ${value}`)
    }
    if (withoutNonces(await actual.text()) !== withoutNonces(expected.body)) differ(`${path}: the document`)
    const named = [...expected.body.matchAll(/(?:src|href)="(\/assets\/[\w.-]+\.js)"/g)]
    for (const file of new Set(named.map(([, file = '']) => file)))
      if (!(nameOfScript(file) in paymentScripts)) differ(`${path}: ${file} is not in the inventory`)
    if (differences === before) lines.push(`same       ${path}: headers and document`)
  }
  await own.close()

  const files = (await readdir(join(clientRoot, 'assets'))).filter((file) => file.endsWith('.js'))
  for (const name of Object.keys(paymentScripts)) {
    const file = files.find((each) => nameOfScript(each) === name)
    if (file === undefined) {
      differ(`the build has no script ${name}: the inventory is of another build`)
      continue
    }
    const expected = await readFile(join(clientRoot, 'assets', file))
    const actual = await ask(`${origin}/assets/${file}`)
    const bytes = new Uint8Array(await actual.arrayBuffer())
    if (actual.status === 200 && expected.equals(bytes))
      lines.push(`same       /assets/${file} ${hashOf(bytes)}`)
    else differ(`/assets/${file}: status ${actual.status}, ${hashOf(bytes)}, not ${hashOf(expected)}`)
  }

  const { widget } = (await (await ask(`${origin}${readConfigOperation.path}`)).json()) as {
    widget?: unknown
  }
  if (isDeepStrictEqual(widget, widgetOf(config)))
    lines.push(`same       ${readConfigOperation.path}: the widget`)
  else differ(`${readConfigOperation.path}: the widget is ${JSON.stringify(widget)}`)

  const script = await ask(config.PAYMENT_WIDGET_SCRIPT)
  const bytes = new Uint8Array(await script.arrayBuffer())
  const allowed = config.PAYMENT_WIDGET_INTEGRITY?.split(' ')
  const isAllowed = allowed?.some((each) => each === hashOf(bytes, each.split('-')[0])) ?? true
  if (script.status === 200 && isAllowed)
    lines.push(`${allowed ? 'same      ' : 'unchecked '} ${config.PAYMENT_WIDGET_SCRIPT} ${hashOf(bytes)}`)
  else differ(`${config.PAYMENT_WIDGET_SCRIPT}: status ${script.status}, ${hashOf(bytes)}`)
  return { lines, differences }
}

/** `npm run ops -- check-payment-page`: prints the comparison; exit code 1 for a difference. */
export async function checkPaymentPage(): Promise<void> {
  const { lines, differences } = await comparePaymentPage(readConfig(process.env))
  console.log(lines.join('\n'))
  console.log(differences === 0 ? 'no difference' : `differences: ${differences}`)
  if (differences > 0) process.exitCode = 1
}
