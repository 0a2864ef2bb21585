import { relative } from 'node:path'
import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from 'vitest/node'
import { repoRoot } from '../repo/repo-files.ts'

/**
 * The end of a run in a few lines: files, tests and seconds of a worker of each layer, the tests that passed only when they
 * were repeated, and what failed. A skipped test fails the run, and so does a layer without a file.
 */
export default class Summary implements Reporter {
  private vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.vitest = vitest
  }

  async onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): Promise<void> {
    const wrong = [
      ...modules.flatMap((module) => this.wrongIn(module)),
      ...errors.map(({ message }) => `an error outside of any test: ${message.split('\n')[0]}`),
      ...(await this.emptyLayers(modules)).map((name) => `no test file is in ${name}`),
    ]
    if (wrong.length > 0) process.exitCode = 1
    const layers = [...Map.groupBy(modules, ({ project }) => project.name)]
    const repeated = modules.flatMap(testsOf).filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0)
    const lines = [
      ...layers.map(([name, own]) => lineOf(name, own)),
      ...repeated.map((test) => `repeated: ${nameOf(test)}`),
      ...wrong,
    ]
    process.stdout.write(`${lines.join('\n')}\n`)
  }

  private wrongIn(module: TestModule): string[] {
    const tests = testsOf(module)
    const isFiltered = this.vitest?.config.testNamePattern !== undefined
    const wrong = tests.flatMap((test) => {
      const { state, errors = [] } = test.result()
      if (state === 'passed' || (state === 'skipped' && isFiltered)) return []
      const why = errors[0] === undefined ? '' : `: ${errors[0].message.split('\n')[0]}`
      return [`${state === 'failed' ? 'failed' : `not run (${state})`}: ${nameOf(test)}${why}`]
    })
    return wrong.length === 0 && (module.state() === 'failed' || tests.length === 0)
      ? [`failed as a file: ${module.project.name} ${inRepo(module)}`]
      : wrong
  }

  private async emptyLayers(modules: readonly TestModule[]): Promise<string[]> {
    const ran = new Set(modules.map(({ project }) => project.name))
    const others = this.vitest?.projects.filter(({ name }) => !ran.has(name)) ?? []
    const found = await Promise.all(others.map((project) => project.globTestFiles()))
    return others.filter((_, index) => found[index]?.testFiles.length === 0).map(({ name }) => name)
  }
}

const testsOf = (module: TestModule) => [...module.children.allTests()]
const inRepo = ({ moduleId }: TestModule) => relative(repoRoot, moduleId)
const nameOf = (test: TestCase) => `${test.module.project.name} ${inRepo(test.module)} › ${test.fullName}`

function lineOf(name: string, modules: readonly TestModule[]): string {
  const tests = modules.flatMap(testsOf)
  const passed = tests.filter((test) => test.result().state === 'passed').length
  const milliseconds = modules.reduce((sum, module) => {
    const timed = module.diagnostic()
    const before = timed.environmentSetupDuration + timed.prepareDuration + timed.collectDuration
    return sum + before + timed.setupDuration + timed.duration
  }, 0)
  return `${name}: ${modules.length} files, ${passed} of ${tests.length} tests passed, ${Math.round(milliseconds / 1_000)} s of a worker`
}
