import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { readConfig } from '#server/platform/config.ts'
import { startFailureOf } from '#server/platform/start-failure.ts'
import { runGateway } from './gateway-process.ts'

/**
 * Names in the `.env` file of `node server/main.ts <file>`, which the start script has loaded. Each name must be known.
 */
function namesInFile(): readonly string[] {
  const [, , file] = process.argv
  return file === undefined ? [] : Object.keys(parseEnv(readFileSync(file, 'utf8')))
}

try {
  // The image or `npm start` sets BUILD_COMMIT, so it is not a variable of the configuration.
  await runGateway(readConfig(process.env, namesInFile()), process.env.BUILD_COMMIT)
} catch (error) {
  console.error(startFailureOf(error) ?? error)
  process.exit(1)
}
