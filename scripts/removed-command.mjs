/** Refuses a removed command in one sentence that names its replacement. */
const replacements = {
  unlock: 'use npm run ops -- unlock <phone>',
  backup:
    'use pg_dump or a continuous archive of PostgreSQL, or copy DATA_DIR of a stopped demo (docs/operate.md, "Backup")',
  restore:
    'use pg_restore, and npm run ops -- after-restore before a gateway starts (docs/operate.md, "Restore")',
  'move-to-postgres': 'a demo stays on SQLite, and MODE=live begins on an empty PostgreSQL',
}

const command = process.env.npm_lifecycle_event ?? ''
console.error(`npm run ${command} was removed: ${replacements[command]}.`)
process.exitCode = 1
