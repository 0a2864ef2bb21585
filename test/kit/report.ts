import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'
import { repoRoot } from './repo-files.ts'

/** What a run of the test runner says about itself, as JSON in the file of `$TEST_REPORT`. Seconds are those of workers. */
export interface RunReport {
  readonly layers: Readonly<Record<string, LayerReport>>
  /** One line for each failed or unfinished test or file, and each error outside of tests. */
  readonly wrong: readonly string[]
  readonly slowest: readonly { readonly test: string; readonly seconds: number }[]
  /** Tests that passed only when they were repeated. */
  readonly retried: readonly string[]
}

export interface LayerReport {
  files: number
  passed: number
  failed: number
  /** Of one worker: loading modules, hooks and tests. */
  seconds: number
}

/** How many rows of `slowest` and `retried` are kept. */
const mostRows = 10

const inRepo = ({ moduleId }: TestModule) => relative(repoRoot, moduleId)
const nameOf = (test: TestCase) => `${test.module.project.name} ${inRepo(test.module)} › ${test.fullName}`

function layersOf(modules: readonly TestModule[]): Record<string, LayerReport> {
  const layers: Record<string, LayerReport> = {}
  for (const module of modules) {
    layers[module.project.name] ??= { files: 0, passed: 0, failed: 0, seconds: 0 }
    const layer = layers[module.project.name] as LayerReport
    const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
      module.diagnostic()
    layer.files += 1
    layer.seconds +=
      (environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration) / 1_000
    for (const test of module.children.allTests())
      layer[test.result().state === 'passed' ? 'passed' : 'failed'] += 1
  }
  return layers
}

function wrongIn(module: TestModule): string[] {
  const unfinished = [...module.children.allTests()].filter((test) => test.result().state !== 'passed')
  const wrong = unfinished.map((test) => {
    const { state, errors = [] } = test.result()
    const why = errors[0] === undefined ? '' : `: ${errors[0].message.split('\n')[0]}`
    return `${state === 'failed' ? 'failed' : `not run (${state})`}: ${nameOf(test)}${why}`
  })
  const isEmpty = [...module.children.allTests()].length === 0
  if (wrong.length === 0 && (module.state() === 'failed' || isEmpty))
    wrong.push(`failed as a file: ${module.project.name} ${inRepo(module)}`)
  return wrong
}

export default class ReportFile implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const slowest = tests
      .map((test) => ({ test: nameOf(test), seconds: (test.diagnostic()?.duration ?? 0) / 1_000 }))
      .toSorted((a, b) => b.seconds - a.seconds)
    const report: RunReport = {
      layers: layersOf(modules),
      wrong: [
        ...modules.flatMap(wrongIn),
        ...errors.map(({ message }) => `an error outside of any test: ${message.split('\n')[0]}`),
      ],
      slowest: slowest.slice(0, mostRows),
      retried: tests
        .filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0)
        .map(nameOf)
        .slice(0, mostRows),
    }
    const file = process.env.TEST_REPORT
    if (file !== undefined) writeFileSync(file, JSON.stringify(report))
  }
}
