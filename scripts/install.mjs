import { ensureInstalled } from './lib/install.mjs'

try {
  await ensureInstalled()
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
