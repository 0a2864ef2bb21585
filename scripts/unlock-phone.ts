import { readDatabaseLocation, runTool, withSource } from './lib/tool.ts'
import { readGatewayTime } from './ops/time.ts'
import { readVerb } from './ops/verbs.ts'

const usage = `usage: npm run unlock -- <phone, such as +9665XXXXXXXX> [--by <name>] [--reason <text>]
Unlocks a phone that is blocked after too many wrong codes in a row, for pilgrims and agents, while the gateway runs. The
limits of the last day still apply. The same as \`npm run ops -- unlock\`. Reads DATA_DIR and DATABASE_URL from the
environment and .env.`

await runTool(usage, async (args) => {
  const work = readVerb(['unlock', ...args])
  await withSource(readDatabaseLocation(), {}, async ({ database }) => {
    console.log(await work(database, await readGatewayTime()))
  })
})
