import { lockSqlite } from '#server/platform/database/lock.ts'

/** A program that locks an SQLite file, prints `held`, and runs until it is killed. */
// Kept: without a reference garbage collection closes the file, which frees the lock.
const held = lockSqlite(process.argv[2] ?? '')
process.on('exit', () => held.release())
process.stdout.write('held\n')
setInterval(() => undefined, 60_000)
