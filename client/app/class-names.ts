import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const client = fileURLToPath(new URL('../', import.meta.url))
/** Without a: some blockers hide what is called `ad`. */
const letters = 'bcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ'

/**
 * Names every class and animation of the style sheets in one or two letters, which both builds, of the app and of what
 * renders its pages, find for themselves. Two letters in place of a hash of five are 2 kB of the counter's first visit.
 */
export function shortClassNames(): (name: string, path: string) => string {
  const keys = globSync('**/*.module.css', { cwd: client }).flatMap((path) => {
    const names = readFileSync(client + path, 'utf8').matchAll(/(?:\.|@keyframes )([a-z][\w-]*)/gi)
    return [...new Set([...names].map(([, name = '']) => keyOf(name, client + path)))]
  })
  const shortNames = new Map(keys.sort().map((key, index) => [key, lettersOf(index)]))
  return (name, path) => {
    const short = shortNames.get(keyOf(name, path))
    if (short === undefined) throw new Error(`no class ${name} in ${path}`)
    return short
  }
}

function keyOf(name: string, path: string): string {
  return `${path.replaceAll('\\', '/').replace(/\?.*/, '')} ${name}`
}

function lettersOf(index: number): string {
  const rest = Math.floor(index / letters.length)
  return (rest === 0 ? '' : lettersOf(rest - 1)) + letters[index % letters.length]
}
