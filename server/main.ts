import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { readConfig } from '#server/platform/config.ts'
import { startFailureOf } from '#server/platform/start-failure.ts'
import { runGateway } from './gateway-process.ts'

/** The names in the `.env` file that the start script has loaded. `readConfig` refuses unknown ones. */
function namesInFile(): readonly string[] {
  const [, , file] = process.argv
  return file === undefined ? [] : Object.keys(parseEnv(readFileSync(file, 'utf8')))
}

try {
  // BUILD_COMMIT comes from the image or `npm start`, so it is not a variable of the configuration.
  await runGateway(readConfig(process.env, namesInFile()), process.env.BUILD_COMMIT)
} catch (error) {
  console.error(startFailureOf(error) ?? error)
  process.exit(1)
}
