import { createHash } from 'node:crypto'
import { join } from 'node:path'
import ts from 'typescript'
import { applyMutant, type Mutant, mutantsOf } from './mutators.ts'

/** Production code without tests, contracts of stores, and migrations, which never change. */
export function isMutated(path: string): boolean {
  return (
    /^(server|shared|pdf|client)\/.*\.tsx?$/.test(path) &&
    !/\.(test|contract|d)\.tsx?$|\/migrations\//.test(path)
  )
}

export function isAlwaysWhole(path: string): boolean {
  return /^server\/features\/(payments|shipments|sessions)\/[^/]+\.rules\.ts$/.test(path)
}

/** A seeded order: changes elsewhere in the code do not change the order of two mutants. */
export function inSeededOrder<T extends { readonly id: string }>(mutants: readonly T[], seed: string): T[] {
  const rank = (id: string) => createHash('sha256').update(`${seed}\n${id}`).digest('hex')
  return mutants
    .map((mutant) => ({ mutant, rank: rank(mutant.id) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ mutant }) => mutant)
}

/** A mutant may leave names unused, so these errors do not count. */
const unusedCodes = new Set([6133, 6192, 6196, 6198, 6199, 6205])

export interface Sample {
  /** Every mutant of the rules, then `count` of all others, in the order of the seed. */
  readonly mutants: readonly Mutant[]
  readonly total: number
  readonly refused: number
}

/**
 * Draws a sample. A mutant that does not compile says nothing about the tests, so it is neither in the sample nor
 * counted. All mutants are compiled in one program, each as a file beside the one it changes.
 */
export function drawSample(
  root: string,
  files: readonly string[],
  { seed, count }: { seed: string; count: number },
): Sample {
  const options = compilerOptions(root)
  const program = ts.createProgram(
    files.map((file) => join(root, file)),
    options,
  )
  const checker = program.getTypeChecker()
  const sourceOf = (file: string): ts.SourceFile => {
    const source = program.getSourceFile(join(root, file))
    if (source === undefined) throw new Error(`the compiler does not find ${file}`)
    return source
  }

  const all = files.flatMap((file) => mutantsOf(file, sourceOf(file), checker))
  const always = inSeededOrder(
    all.filter(({ file }) => isAlwaysWhole(file)),
    seed,
  )
  const others = inSeededOrder(
    all.filter(({ file }) => !isAlwaysWhole(file)),
    seed,
  )

  const compile = (mutants: readonly Mutant[]) =>
    compiling(root, mutants, (file) => sourceOf(file).text, options, program)
  const rules = compile(always)
  const drawn: Mutant[] = []
  let position = 0
  while (drawn.length < count && position < others.length) {
    const missing = count - drawn.length
    const batch = others.slice(position, position + missing)
    drawn.push(...compile(batch))
    position += batch.length
  }
  const mutants = [...rules, ...drawn]
  return { mutants, total: all.length, refused: always.length + position - mutants.length }
}

function compilerOptions(root: string): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  return ts.parseJsonConfigFileContent(config, ts.sys, root).options
}

function compiling(
  root: string,
  mutants: readonly Mutant[],
  textOf: (file: string) => string,
  options: ts.CompilerOptions,
  before: ts.Program,
): Mutant[] {
  const texts = new Map<string, string>()
  const pathOf = ({ file, id }: Mutant) => join(root, file.replace(/(\.tsx?)$/, `.mutant-${id}$1`))
  for (const mutant of mutants) texts.set(pathOf(mutant), applyMutant(textOf(mutant.file), mutant))
  const host = ts.createCompilerHost(options)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = (path) => texts.has(path) || fileExists(path)
  host.readFile = (path) => texts.get(path) ?? readFile(path)
  host.getSourceFile = (path, language, onError, shouldCreate) => {
    const text = texts.get(path)
    if (text !== undefined) return ts.createSourceFile(path, text, language, true)
    return before.getSourceFile(path) ?? getSourceFile(path, language, onError, shouldCreate)
  }
  const program = ts.createProgram([...before.getRootFileNames(), ...texts.keys()], options, host)
  return mutants.filter((mutant) => {
    const source = program.getSourceFile(pathOf(mutant))
    const wrong = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
    return wrong.every(({ code }) => unusedCodes.has(code))
  })
}
