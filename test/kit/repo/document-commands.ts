import { patienceMs } from '../basics/patience.ts'
import type { Stack } from '../programs/stack.ts'
import { type Output, runScript } from '../programs/tools.ts'
import { readRepoFile } from './repo-files.ts'

/** What a document has its reader do: run a command, read or press a text of the screen, type, press a key. */
export interface Mark {
  readonly kind: 'command' | 'screen' | 'typed' | 'key'
  readonly text: string
}

const marks =
  /^```sh\n(?<command>[\s\S]*?)^```$|\*\*(?<screen>.+?)\*\*|“(?<typed>.+?)”|<kbd>(?<key>.+?)<\/kbd>/gm

/** Of a document, or of its section with a heading that begins so, in their order; commands line by line. */
export function marksOf(path: string, heading?: string): Mark[] {
  const text = readRepoFile(path)
  const section = heading === undefined ? text : text.split(/^## /m).find((each) => each.startsWith(heading))
  if (section === undefined) throw new Error(`${path} has no section ${heading}`)
  return [...section.matchAll(marks)].flatMap(({ groups = {} }) =>
    (['command', 'screen', 'typed', 'key'] as const).flatMap((kind) =>
      (groups[kind] ?? '')
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => ({ kind, text: line })),
    ),
  )
}

/** The commands of a document, or of its section, line by line, from its blocks of the language `sh`. */
export const commandsOf = (path: string, heading?: string): string[] =>
  marksOf(path, heading).flatMap(({ kind, text }) => (kind === 'command' ? [text] : []))

const scripts: Readonly<Record<string, string>> = {
  ops: 'ops',
  replay: 'replay-payment',
}

/**
 * Runs a command of a document against a stack: `npm run …` as a tool of its own process, `curl` of the simulator as a
 * request. `words` replaces the placeholders of the document. `replay` waits as long as any test does.
 */
export async function runCommand(
  command: string,
  stack: Stack,
  env: Readonly<Record<string, string>>,
  words: Readonly<Record<string, string>> = {},
): Promise<Output> {
  const placed = Object.entries(words).reduce((text, [word, value]) => text.replaceAll(word, value), command)
  const [program = '', ...args] = wordsOf(placed)
  if (program === 'npm' && args[0] === 'run' && args[2] === '--') {
    const script = scripts[args[1] ?? '']
    if (script === undefined) throw new Error(`no tool is known for: ${command}`)
    const given = args.slice(3)
    const isPatient = script === scripts.replay && !given.includes('--wait')
    return runScript(script, isPatient ? [...given, '--wait', String(patienceMs)] : given, env)
  }
  if (program !== 'curl') throw new Error(`no way is known to run: ${command}`)
  return callSimulator(args, stack)
}

/** Splits a line as a shell does where it has quotes and nothing else. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )
}

async function callSimulator(args: readonly string[], { mockUrl }: Stack): Promise<Output> {
  const after = (flag: string) => args[args.indexOf(flag) + 1]
  const address = args.find((arg) => arg.startsWith('localhost:4000/'))
  if (address === undefined) throw new Error(`curl names no address of the simulator: ${args.join(' ')}`)
  const hasBody = args.includes('-d')
  const response = await fetch(`${mockUrl}${address.slice('localhost:4000'.length)}`, {
    method: after('-X') ?? 'GET',
    ...(hasBody && { body: after('-d') ?? '' }),
    headers: hasBody ? { 'content-type': 'application/json' } : {},
  })
  const out = await response.text()
  return { code: response.ok ? 0 : 22, out, err: response.ok ? '' : `HTTP ${response.status}: ${out}` }
}
