import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { readConfig } from '#server/platform/config.ts'
import { startFailureOf } from '#server/platform/start-failure.ts'
import { runGateway } from './gateway-process.ts'

/** The starter has loaded the `.env` file of `node server/main.ts <file>`: each of its names must be known. */
function namesInFile(): readonly string[] {
  const [, , file] = process.argv
  return file === undefined ? [] : Object.keys(parseEnv(readFileSync(file, 'utf8')))
}

try {
  // BUILD_COMMIT is no setting: it comes from the image, or `npm start` takes it from git.
  await runGateway(readConfig(process.env, namesInFile()), process.env.BUILD_COMMIT)
} catch (error) {
  console.error(startFailureOf(error) ?? error)
  process.exit(1)
}
