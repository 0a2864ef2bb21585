import { beforeAll, describe, expect, it } from 'vitest'
import { createGateway } from '#server/app.ts'
import { readConfig } from '#server/platform/config.ts'
import { createMetrics } from '#server/platform/metrics.ts'
import { openMemory } from '#test/kit/database/memory-database.ts'
import { silentLog } from '#test/kit/gateway/feature-app.ts'
import { readAlerts, readExpression, readPanels } from '#test/kit/programs/promql.ts'
import { readRepoFile, repoFiles } from '#test/kit/repo/repo-files.ts'

/** What Prometheus itself adds, its exporter that probes the site, and the proxy (test/repo/proxy.process.full.test.ts). */
const ofPrometheus = {
  metrics: [
    'up',
    'probe_success',
    'probe_ssl_earliest_cert_expiry',
    'haproxy_backend_current_queue',
    'haproxy_backend_retry_warnings_total',
    'haproxy_frontend_denied_connections_total',
  ],
  labels: ['job', 'instance'],
}

/** The metrics of a gateway that has not begun to work, with their labels and the series that exist from the start. */
async function readRegistry() {
  const metrics = createMetrics()
  const app = await createGateway({
    config: readConfig({}),
    database: await openMemory(),
    logger: silentLog,
    version: '1.2.3',
    metrics,
  })
  const known = metrics.registry.getMetricsAsArray() as unknown as { name: string; labelNames?: string[] }[]
  const labels = new Map(known.map(({ name, labelNames = [] }) => [name, labelNames]))
  const described = await metrics.registry.getMetricsAsJSON()
  await app.close()
  return {
    names: [...labels.keys()],
    types: new Map(described.map(({ name, type }) => [name, String(type)])),
    labelsOf(name: string): readonly string[] | undefined {
      const own = labels.get(name)
      if (own) return own
      // A histogram is read as its parts.
      const [, whole = '', part] = /^(.+)_(bucket|sum|count)$/.exec(name) ?? []
      const ofWhole = described.some(({ name: each, type }) => each === whole && String(type) === 'histogram')
        ? labels.get(whole)
        : undefined
      return ofWhole && [...ofWhole, ...(part === 'bucket' ? ['le'] : [])]
    },
    seriesOf: (name: string) =>
      (described.find((each) => each.name === name)?.values ?? []).map(
        (value) => value.labels as Record<string, string>,
      ),
  }
}

let registry: Awaited<ReturnType<typeof readRegistry>>
beforeAll(async () => {
  registry = await readRegistry()
})

const alerts = readAlerts()
const expressions = [
  ...alerts.map(({ alert, expr }) => [`alert ${alert}`, expr] as const),
  ...readPanels().map(({ panel, expr }) => [`panel ${panel}`, expr] as const),
]

describe('the alert rules and the dashboard', () => {
  it('are many', () => {
    expect(alerts.length).toBeGreaterThan(20)
    expect(expressions.length - alerts.length).toBeGreaterThan(30)
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length)
  })

  it.each(expressions)('%s reads metrics and labels that exist', (_, expr) => {
    const { selectors, labels } = readExpression(expr)
    // One alert fires always, to prove that alarms arrive.
    if (expr.trim() !== 'vector(1)') expect(selectors).not.toEqual([])
    const read = selectors.map(({ metric }) => metric).filter((name) => !ofPrometheus.metrics.includes(name))
    expect(read.filter((name) => registry.labelsOf(name) === undefined)).toEqual([])
    const known = [...ofPrometheus.labels, ...read.flatMap((name) => registry.labelsOf(name) ?? [])]
    expect(labels.filter((label) => !known.includes(label))).toEqual([])
  })

  // Prometheus sees no increase in a series that begins with its first event.
  it.each(alerts)('$alert sees the first event of what it counts', ({ expr }) => {
    for (const { metric, matches } of readExpression(expr).selectors.filter(({ isIncrease }) => isIncrease)) {
      const series = registry
        .seriesOf(metric)
        .filter((labels) => matches.every(({ label, fits }) => fits(labels[label] ?? '')))
      expect(series, metric).not.toEqual([])
    }
  })

  it('read jobs that prometheus.yml scrapes', () => {
    const scraped = [...readRepoFile('deploy/monitoring/prometheus.yml').matchAll(/job_name: (\S+)/g)]
    const read = expressions.flatMap(([, expr]) => [...expr.matchAll(/\bjob="([^"]+)"/g)])
    const names = (found: RegExpExecArray[]) => [...new Set(found.map(([, name]) => name))].toSorted()
    expect(names(read)).toEqual(names(scraped))
  })

  it('read metrics that a test measures', () => {
    const tests = repoFiles('', /\.test\.tsx?$|^test\/kit\//).filter((path) => !path.startsWith('test/repo/'))
    const text = tests.map(readRepoFile).join('\n')
    const ours = registry.names.filter((name) => name.startsWith('amtiati_'))
    expect(ours.filter((name) => !new RegExp(`\\b${name}(?:_count)?\\b`).test(text))).toEqual([])
  })

  it('are found wrong where they are', () => {
    expect(() => readExpression('sum(rate(amtiati_orders[5m])')).toThrow('not PromQL')
    expect(registry.labelsOf('amtiati_nothing')).toBeUndefined()
    expect(registry.labelsOf('amtiati_orders_bucket')).toBeUndefined()
    expect(registry.labelsOf('amtiati_http_request_duration_seconds_bucket')).toContain('le')
  })
})

describe('docs/alerts.md', () => {
  const page = readRepoFile('docs/alerts.md')
  const sectionsOf = (chapter: string) => {
    const [, text = ''] = page.split(`\n## ${chapter}\n`)
    return [...(text.split(/^## /m)[0] ?? '').matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading)
  }

  it('has a section for each alert in the chapter of its severity, and for nothing else', () => {
    const pages = alerts.filter(({ labels }) => labels.severity === 'page')
    const others = alerts.filter(({ labels }) => labels.severity !== 'page')
    const names = (list: typeof alerts) => list.map(({ alert }) => alert).toSorted()
    expect(sectionsOf('Alerts that page').toSorted()).toEqual(names(pages))
    expect(sectionsOf('Alerts for the working day').toSorted()).toEqual(names(others))
  })

  it.each(alerts)('is where $alert points to', ({ alert, annotations, labels }) => {
    expect(annotations.runbook).toBe(`docs/alerts.md#${alert.toLowerCase()}`)
    expect(annotations.summary).not.toBe('')
    expect(alert === 'Watchdog' ? ['none'] : ['page', 'ticket']).toContain(labels.severity)
  })

  it('names every metric of ours, and none that does not exist', () => {
    const own = registry.names.filter((name) => name.startsWith('amtiati_'))
    expect(own.filter((name) => !page.includes(`\`${name}`))).toEqual([])
  })
})

describe('a document', () => {
  const documents = ['README.md', 'ARCHITECTURE.md', 'SECURITY.md', ...repoFiles('docs', /\.md$/)]
  const names = (text: string) =>
    [...text.matchAll(/`(amtiati_\w*[a-z])(?=[`{])/g)].map(([, name = '']) => name)

  it.each(documents)('%s names no metric that does not exist', (path) => {
    const unknown = names(readRepoFile(path)).filter((name) => registry.labelsOf(name) === undefined)
    expect(unknown).toEqual([])
  })
})

describe('the metrics', () => {
  it('have names by convention', () => {
    const own = registry.names.filter((name) => !/^(process|nodejs)_/.test(name))
    expect(own.length).toBeGreaterThan(30)
    expect(own.filter((name) => !/^amtiati_[a-z_]+$/.test(name))).toEqual([])
    const isCounter = (name: string) => registry.types.get(name) === 'counter'
    expect(own.filter((name) => isCounter(name) !== name.endsWith('_total'))).toEqual([])
  })
})
