/** Refuses a command that was removed, in one sentence that names its replacement. */
const replacements = {
  unlock: 'npm run ops -- unlock <phone>',
}

const command = process.env.npm_lifecycle_event ?? ''
console.error(`npm run ${command} was removed: use ${replacements[command]}.`)
process.exitCode = 1
