import { ensureClientBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'

try {
  await ensureInstalled()
  await ensureClientBuilt()
  console.log('dist/client is up to date.')
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
