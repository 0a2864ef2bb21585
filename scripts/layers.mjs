import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { node, root, tools } from './lib/repo.mjs'

/**
 * `npm run layers [-- unit gateway]`: runs the layers of `npm test` one after the other, each alone, and prints
 * their files, tests and seconds as a table. Processor seconds are those of all processes
 * that a layer starts.
 */
const all = ['unit', 'client', 'repo', 'components', 'stores', 'gateway', 'process', 'browser']
const named = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'amtiati-layers-'))
const report = join(folder, 'report.json')
const total = { files: 0, tests: 0, wall: 0, cpu: 0 }

const row = (name, { files, tests, wall, cpu }) =>
  console.log(`| ${name} | ${files} | ${tests} | ${cpu.toFixed(0)} | ${wall.toFixed(0)} |`)

try {
  console.log('| layer | files | tests | processor s | wall s |\n|---|---|---|---|---|')
  for (const layer of named.length > 0 ? named : all) {
    const command = `TIMEFORMAT='%R %U %S'; time "${node}" "${tools.vitest}" run --project ${layer} --reporter=./test/kit/report.ts >/dev/null 2>&1`
    const { stderr } = spawnSync('bash', ['-c', command], {
      cwd: root,
      env: { ...process.env, TEST_REPORT: report },
      encoding: 'utf8',
    })
    const [wall = 0, user = 0, system = 0] = stderr.trim().split(' ').map(Number)
    const { layers, wrong } = JSON.parse(readFileSync(report, 'utf8'))
    const { files = 0, passed = 0 } = layers[layer] ?? {}
    const measured = { files, tests: passed, wall, cpu: user + system }
    row(layer, measured)
    for (const key of Object.keys(total)) total[key] += measured[key]
    for (const line of wrong) console.error(line)
    if (wrong.length > 0) process.exitCode = 1
  }
  row('sum', total)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
