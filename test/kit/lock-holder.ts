import { lockSqlite } from '#server/platform/database/lock.ts'

/** A program that locks an SQLite file, prints `held`, and runs until it is killed. */
lockSqlite(process.argv[2] ?? '')
process.stdout.write('held\n')
setInterval(() => undefined, 60_000)
