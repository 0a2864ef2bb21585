import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { freshFolder } from '#test/kit/programs/fresh-folder.ts'
import { repoRoot } from '#test/kit/repo/repo-files.ts'

/** A checker that cannot parse a file reports no violation in it, so a few are planted; types count as imports. */
const planted: Readonly<Record<string, string>> = {
  'client/platform/call.ts': "import '../../server/main.ts'\n",
  'server/platform/config.ts': "import type { T } from '../features/orders/orders.ts'\nexport type U = T\n",
  'server/features/orders/orders.ts': "import '../payments/payments.ts'\nexport type T = 1\n",
  'server/features/payments/payments.ts': 'export const leaf = 1\n',
  'server/main.ts': 'export const leaf = 1\n',
}

it('planted imports that are not allowed are found', () => {
  const tree = freshFolder()
  for (const [path, text] of Object.entries(planted)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), text)
  }
  for (const file of ['package.json', 'tsconfig.json']) copyFileSync(join(repoRoot, file), join(tree, file))
  const checker = join(repoRoot, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
  const config = join(repoRoot, '.dependency-cruiser.cjs')
  const args = [checker, '--config', config, '--output-type', 'json', 'client', 'server']
  const { stdout } = spawnSync(process.execPath, args, { cwd: tree, encoding: 'utf8' })
  const { violations } = (JSON.parse(stdout) as { summary: { violations: { from: string }[] } }).summary
  const found = new Set(violations.map(({ from }) => from))
  for (const path of Object.keys(planted).slice(0, 3)) expect([...found]).toContain(path)
})
