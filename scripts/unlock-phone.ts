import { createOtpStore } from '#server/features/otp/otp.store.ts'
import { canonicalPhone } from '#server/platform/phone.ts'
import { readArguments, readDatabaseLocation, runTool, UsageError, withSource } from './lib/tool.ts'

const usage = `usage: npm run unlock -- <phone, such as +9665XXXXXXXX>
Unlocks a phone that is blocked after too many wrong codes in a row, for pilgrims and agents, while the gateway runs. The
limits of the last day still apply. Reads DATA_DIR and DATABASE_URL from the environment and .env.`

await runTool(usage, async (args) => {
  const [typed = '', ...rest] = readArguments(args, {}).positionals
  const phone = canonicalPhone(typed)
  if (!phone || rest.length > 0) throw new UsageError('name one phone')
  await withSource(readDatabaseLocation(), {}, async ({ database }) => {
    const unlocked = await createOtpStore(database).unlockPhone(phone)
    if (unlocked === 0) throw new Error(`${phone} was not locked in this database, so nothing was changed`)
    console.log(`${phone}: open again`)
  })
})
