import { runQuietly } from './run.mjs'

const timeoutMs = 20_000

/**
 * Queries npm's advisories for every package of the lock file. Resolves with `{ failures, notes }`: a failure is
 * a critical advisory. An unreachable service or an invalid response is a note, because the tests must run
 * without network.
 */
export async function auditDependencies() {
  const env = {
    ...process.env,
    npm_config_fetch_retries: '0',
    npm_config_fetch_timeout: String(timeoutMs),
    npm_config_loglevel: 'silent',
  }
  return classify((await runQuietly('npm', ['audit', '--json'], env)).output)
}

export function classify(answer) {
  let report
  try {
    report = JSON.parse(answer)
  } catch {}
  if (report?.metadata?.vulnerabilities === undefined)
    return { failures: [], notes: ['advisory service not reached: nothing is known about the dependencies'] }
  const all = Object.values(report.vulnerabilities)
  const sentence = ({ severity, name, via }) =>
    `${severity}: ${name}: ${via.map((each) => (each.title ? `${each.title} (${each.url})` : `by ${each}`)).join('; ')}`
  return {
    failures: all.filter(({ severity }) => severity === 'critical').map(sentence),
    notes: all.filter(({ severity }) => severity !== 'critical').map(sentence),
  }
}
