import { readFileSync } from 'node:fs'
import { parser } from '@prometheus-io/lezer-promql'
import { parse } from 'yaml'
import { repoRoot } from '../repo/repo-files.ts'

/** A metric as an expression names it. */
export interface Selector {
  readonly metric: string
  /** Labels that are compared, with the regular expression that their values must fit. */
  readonly matches: readonly { readonly label: string; readonly fits: (value: string) => boolean }[]
  /** True inside `increase(…)`. */
  readonly isIncrease: boolean
}

export interface Expression {
  readonly selectors: readonly Selector[]
  /** Labels that the expression compares, groups by or joins on. */
  readonly labels: readonly string[]
}

/** @throws where the grammar of Prometheus finds a mistake. */
export function readExpression(text: string): Expression {
  const selectors: { metric: string; matches: Selector['matches'][number][]; isIncrease: boolean }[] = []
  const labels: string[] = []
  const calls: { name: string; end: number }[] = []
  let label = ''
  let operator = ''
  parser.parse(text).iterate({
    enter({ name, from, to, type }) {
      const own = text.slice(from, to)
      if (type.isError) throw new Error(`not PromQL at ${from}: ${text}`)
      if (name === 'FunctionCall') calls.push({ name: own.slice(0, own.indexOf('(')), end: to })
      const call = calls.findLast(({ end }) => end >= to)
      if (name === 'VectorSelector')
        selectors.push({
          metric: /^[\w:]+/.exec(own)?.[0] ?? '',
          matches: [],
          isIncrease: call?.name === 'increase',
        })
      if (name === 'LabelName') {
        label = own
        labels.push(own)
      }
      if (name === 'MatchOp') operator = own
      if (name === 'StringLiteral')
        selectors.at(-1)?.matches.push({ label, fits: fitOf(operator, own.slice(1, -1)) })
    },
  })
  return { selectors, labels }
}

function fitOf(operator: string, wanted: string): (value: string) => boolean {
  const pattern = new RegExp(`^(?:${wanted})$`)
  switch (operator) {
    case '=~':
      return (value) => pattern.test(value)
    case '!~':
      return (value) => !pattern.test(value)
    case '=':
      return (value) => value === wanted
    default:
      return (value) => value !== wanted
  }
}

export interface Alert {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}

const folder = `${repoRoot}deploy/monitoring/`
export const monitoringFile = (name: string) => `${folder}${name}`

export function readAlerts(): Alert[] {
  const { groups } = parse(readFileSync(monitoringFile('alerts.yml'), 'utf8')) as {
    groups: { rules: Alert[] }[]
  }
  return groups.flatMap(({ rules }) => rules)
}

/** The expressions of the dashboard by their panel, with the variable of Grafana replaced by a time. */
export function readPanels(): { panel: string; expr: string }[] {
  const { panels } = JSON.parse(readFileSync(monitoringFile('dashboard.json'), 'utf8')) as {
    panels: { title: string; targets?: { expr: string }[] }[]
  }
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ panel: title, expr: expr.replaceAll('$__rate_interval', '5m') })),
  )
}
