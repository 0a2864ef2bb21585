import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { hashOf, node, root } from './repo.mjs'
import { run } from './run.mjs'

const sources = [
  ...['client', 'shared', 'vite.config.ts', 'tsconfig.json', 'package-lock.json'],
  ...['client', 'compress', 'fonts', 'html', 'icons', 'previews'].map((name) => `scripts/lib/${name}.mjs`),
]
const target = join(root, 'dist/client')
const page = join(target, 'index.html')
const stampFile = join(root, 'dist/client.stamp')

export async function ensureClientBuilt() {
  if (isBuilt()) return
  await withLock('build', async () => {
    if (isBuilt()) return
    console.log('Building the app (half a minute to two)…')
    const sourcesHash = hashOf(sources)
    // Built beside the target and then moved, so that a running gateway never serves half a build.
    const fresh = join(root, `dist/.client-${process.pid}`)
    const old = join(root, `dist/.client-${process.pid}-old`)
    try {
      const args = ['scripts/lib/client.mjs', fresh]
      const code = await run(node, args, { ...process.env, NODE_ENV: 'production' })
      if (code !== 0) throw new Error(`the build ended with code ${code}. The lines above say why.`)
      if (existsSync(target)) renameSync(target, old)
      renameSync(fresh, target)
      writeFileSync(stampFile, stampOf(sourcesHash))
    } finally {
      rmSync(fresh, { recursive: true, force: true })
      rmSync(old, { recursive: true, force: true })
    }
  })
}

function isBuilt() {
  if (!existsSync(page) || !existsSync(stampFile)) return false
  return readFileSync(stampFile, 'utf8') === stampOf(hashOf(sources))
}

/** The page names every asset by its hash, so its hash identifies any build, also a manual one. */
function stampOf(sourcesHash) {
  return `${sourcesHash} ${createHash('sha256').update(readFileSync(page)).digest('hex')}`
}
