import { runQuietly } from './lib/run.mjs'

/**
 * Queries npm's advisories for every package of the lock file, and exits with 1 for a critical one. An unreachable
 * service or an invalid response is a note, because the tests must run without network.
 */
const timeoutMs = 20_000

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

if (import.meta.main) {
  const { stdout } = await runQuietly('npm', ['audit', '--json'], {
    ...process.env,
    npm_config_fetch_retries: '0',
    npm_config_fetch_timeout: String(timeoutMs),
    npm_config_loglevel: 'silent',
  })
  const { failures, notes } = classify(stdout)
  for (const note of notes) console.log(note)
  for (const failure of failures) console.error(failure)
  if (failures.length > 0) process.exitCode = 1
}
