import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '../basics/eventually.ts'
import { onFreePorts } from './ports.ts'
import { findOnPath, findOrInstall } from './programs.ts'
import { monitoringFile } from './promql.ts'

const run = promisify(execFile)

/** Both are in Debian's package `prometheus`. @throws with what to install. */
function find(name: 'prometheus' | 'promtool'): string {
  const found =
    findOnPath(process.env, [name]) ??
    (findOrInstall(process.env, ['prometheus']) && findOnPath(process.env, [name]))
  if (!found)
    throw new Error(
      `This test needs ${name} and there is none. Install it (Debian: apt-get install prometheus).`,
    )
  return found
}

/** What promtool says about the alert rules and their tests. @throws where it finds a mistake. */
export async function checkRules(): Promise<string> {
  const promtool = find('promtool')
  const checked = await run(promtool, ['check', 'rules', monitoringFile('alerts.yml')])
  const tested = await run(promtool, ['test', 'rules', monitoringFile('alerts.test.yml')])
  return `${checked.stdout}\n${tested.stdout}`
}

interface RuleState {
  readonly name: string
  readonly health: string
  readonly state: string
}

export interface Prometheus {
  /** The alert rules, once each was evaluated after a scrape. */
  rules(): Promise<RuleState[]>
  query(expr: string): Promise<{ status: string; data: { result: unknown[] } }>
  close(): Promise<void>
}

/** A Prometheus that reads one gateway, with the alert rules. It resolves when it has read the gateway. */
export function startPrometheus(gatewayUrl: string): Promise<Prometheus> {
  return onFreePorts(1, ([port = 0]) => startOn(port, gatewayUrl))
}

async function startOn(port: number, gatewayUrl: string): Promise<Prometheus> {
  const program = find('prometheus')
  const folder = await mkdtemp(join(tmpdir(), 'amtiati-prometheus-'))
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['alerts.yml'],
    scrape_configs: [{ job_name: 'amtiati', static_configs: [{ targets: [new URL(gatewayUrl).host] }] }],
  }
  await copyFile(monitoringFile('alerts.yml'), join(folder, 'alerts.yml'))
  // JSON is YAML.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const child = spawn(
    program,
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  const ended = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  async function get<T>(path: string): Promise<T> {
    if (child.exitCode !== null) throw new Error(`prometheus ended: ${said}`)
    return (await (await fetch(`${url}${path}`)).json()) as T
  }
  const query: Prometheus['query'] = (expr) => get(`/api/v1/query?query=${encodeURIComponent(expr)}`)
  const close = async () => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await Promise.race([
      ended.then(() => Promise.reject(new Error(`prometheus ended: ${said}`))),
      eventually(async () => ((await query('up == 1')).data.result.length === 1 ? true : undefined)),
    ])
  } catch (error) {
    await close()
    throw error
  }
  return {
    query,
    close,
    rules: () =>
      eventually(async () => {
        const { data } = await get<{ data: { groups: { rules: RuleState[] }[] } }>('/api/v1/rules?type=alert')
        const rules = data.groups.flatMap((group) => group.rules)
        return rules.length > 0 && rules.every(({ health }) => health !== 'unknown') ? rules : undefined
      }),
  }
}
