import { createHash } from 'node:crypto'
import type { Mutant } from './mutators.ts'

export type Outcome = 'killed' | 'late' | 'survived'

export interface Result extends Mutant {
  readonly outcome: Outcome
  readonly source: string
  /** Digest of the tests that it survived: others may kill it. */
  readonly tests?: string
  readonly by?: string
}

export function digest(...texts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(`${text.length}\n${text}`)
  return hash.digest('hex').slice(0, 16)
}

export function parseResults(text: string): Map<string, Result> {
  const results = new Map<string, Result>()
  for (const line of text.split('\n')) {
    try {
      const result: Result = JSON.parse(line)
      results.set(result.id, result)
    } catch {}
  }
  return results
}

/** True while a result is valid: a kill while the file is unchanged, a survival while its tests are, too. */
export function isCurrent(result: Result | undefined, source: string, tests: string): result is Result {
  if (result === undefined || result.source !== source) return false
  return result.outcome !== 'survived' || result.tests === tests
}

/** `server/features/payments`, `client/ui`, `shared/orders`: two levels, three below `features`. */
function featureOf(file: string): string {
  const [app = '', second = '', third = ''] = file.split('/')
  return second === 'features' ? `${app}/${second}/${third}` : second.includes('.') ? app : `${app}/${second}`
}

export function percentDead(results: readonly Pick<Result, 'outcome'>[]): number {
  const dead = results.filter(({ outcome }) => outcome !== 'survived').length
  return results.length === 0 ? 0 : (dead / results.length) * 100
}

const oneLine = (text: string) => {
  const short = text.replace(/\s+/g, ' ').trim()
  return short.length > 100 ? `${short.slice(0, 99)}…` : short
}

/** `file:line` and the change. An element that was left out of a list is named alone. */
export function describeMutant({ file, line, kind, original, replacement }: Mutant): string {
  const what = replacement === ';' || replacement === '{}' ? 'removed' : oneLine(replacement)
  return `${file}:${line} ${kind}: \`${oneLine(original)}\` → ${what === 'removed' ? what : `\`${what}\``}`
}

export function reportOf(results: readonly Result[]): string {
  const byFeature = Map.groupBy(results, ({ file }) => featureOf(file))
  const row = (name: string, of: readonly Result[]) => {
    const count = (outcome: Outcome) => of.filter((result) => result.outcome === outcome).length
    const percent = percentDead(of).toFixed(0)
    return `| ${name} | ${of.length} | ${count('killed')} | ${count('late')} | ${count('survived')} | ${percent} % |`
  }
  const survivors = results
    .filter(({ outcome }) => outcome === 'survived')
    .toSorted((a, b) => (a.file === b.file ? a.start - b.start : a.file < b.file ? -1 : 1))
  return [
    '| where | mutants | killed | too slow | survived | dead |',
    '|---|---|---|---|---|---|',
    ...[...byFeature].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, of]) => row(name, of)),
    row('**all**', results),
    '',
    ...survivors.map((result) => `- ${describeMutant(result)}`),
  ].join('\n')
}
