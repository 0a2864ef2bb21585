import { posix } from 'node:path'
import { operations } from '#shared/operations.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import { isInRepo, readRepoFile, repoFiles } from '#test/kit/repo/repo-files.ts'

/*
 * Prints what code and documents name that does not exist, and exits with 1 if there is any: citations of the
 * wires and of the specification, and in documents also files, links, tests, npm scripts and paths of the API.
 */

const files = repoFiles('', /./)
const documents = files.filter((path) => path.endsWith('.md'))
const citing = [...files.filter((path) => /\.(tsx?|mjs|css)$/.test(path)), ...documents]
const scripts: Record<string, string> = JSON.parse(readRepoFile('package.json')).scripts
const ignoredLines = readRepoFile('.gitignore').split('\n')
const ignored = ignoredLines.filter((line) => line.endsWith('/'))
const topLevel = new Set(files.map((path) => path.split('/')[0] ?? ''))
const apiPaths = Object.values<OperationShape>(operations).map(({ path }) => path)
const otherPaths = ['/api', '/api/*', '/api/docs', '/api/openapi.json']
const specification = readRepoFile('docs/specification.md')
const payment = 'docs/wires/payment.md'

/** Numbers of the rows of a page: `| P6 | …`. */
const rowsOf = (page: string) =>
  isInRepo(page) ? [...readRepoFile(page).matchAll(/^\| ([A-Z]\d+) \|/gm)].map(([, row = '']) => row) : []
const paymentRows = new Set(rowsOf(payment))

const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const headingsOf = (page: string) =>
  [...readRepoFile(page).matchAll(/^#{1,4} (.+)$/gm)].map(([, heading = '']) => slugOf(heading))

function proseOf(path: string, text: string): string {
  if (path.endsWith('.md')) return text
  return text
    .split('\n')
    .map((line) => /^\s*(?:\/?\*|\/\/)(.*)$|\/\*\*(.*)$/.exec(line))
    .map((match) => match?.[1] ?? match?.[2] ?? '')
    .join('\n')
}

/** Citations of a file and its heading. */
const brokenFiles = (text: string) =>
  [...text.matchAll(/(?<![\w./-])(docs\/[\w/-]+\.(?:md|json))(?:#([\w-]+))?/g)]
    .filter(
      ([, file = '', anchor]) =>
        !isInRepo(file) || (anchor !== undefined && !headingsOf(file).includes(anchor)),
    )
    .map(([citation]) => citation)

/** Citations of a heading by its words: `docs/operate.md, "Backup"`. */
const brokenHeadings = (text: string) =>
  [...text.matchAll(/(docs\/[\w/-]+\.md)`?, "([^"\n]+)"/g)]
    .filter(([, file = '', heading = '']) => isInRepo(file) && !headingsOf(file).includes(slugOf(heading)))
    .map(([citation]) => citation)

/** Citations of a wire's numbered rows: `docs/wires/otp.md O9, O10`. */
const brokenRows = (text: string) =>
  [...text.matchAll(/docs\/wires\/(\w+)\.md`? ((?:[A-Z]\d+(?:, | and )?)+)/g)]
    .filter(([, wire = '', list = '']) => {
      const rows = rowsOf(`docs/wires/${wire}.md`)
      return (list.match(/[A-Z]\d+/g) ?? []).some((number) => !rows.includes(number))
    })
    .map(([citation]) => citation)

const isInSpecification = (part: string) =>
  specification.includes(part.startsWith('§') ? `## ${part} ` : `| ${part} |`)

/** Citations of a chapter or line of the specification. */
const brokenParts = (text: string) =>
  [...text.matchAll(/\bspec(?:ification)? ((?:(?:§\d+|\d+\.\d+)(?:, | and )?)+)/gi)]
    .filter(([, list = '']) => !(list.match(/§\d+|\d+\.\d+/g) ?? []).every(isInSpecification))
    .map(([citation]) => citation)

/** Payment rules, which are named without their page by a file that names it elsewhere. */
function brokenRules(path: string, text: string): string[] {
  const rules = path === payment ? [] : (proseOf(path, text).match(/\b[PR]\d{1,2}\b/g) ?? [])
  const isAlone = rules.length > 0 && !text.includes(payment)
  return [
    ...(isAlone ? [`${rules[0]} without ${payment}`] : []),
    ...rules.filter((rule) => !paymentRows.has(rule)),
  ]
}

const brokenCitations = (path: string, text: string) => [
  ...brokenFiles(text),
  ...brokenHeadings(text),
  ...brokenRows(text),
  ...brokenParts(text),
  ...brokenRules(path, text),
]

function exists(path: string): boolean {
  const plain = path.replace(/^\.\//, '').replace(/\/$/, '')
  if (ignoredLines.includes(plain) || ignored.some((folder) => `${plain}/`.startsWith(folder))) return true
  if (isInRepo(plain)) return true
  // `<feature>` and `*` stand for any one name; a file name without a folder is searched in every folder.
  const pattern = plain
    .split(/(<\w+>|\*)/)
    .map((part) => (/^(<\w+>|\*)$/.test(part) ? '[^/]+' : part.replace(/[.+^${}()|[\]\\]/g, '\\$&')))
    .join('')
  const fits = new RegExp(`^${plain.includes('/') ? '' : '(.*/)?'}${pattern}(/|$)`)
  return files.some((file) => fits.test(file))
}

const isPath = (span: string) => {
  if (!/^[\w@.*<>#/-]+$/.test(span) || span.startsWith('/')) return false
  const [first = ''] = span.replace(/^\.\//, '').split('/')
  if (span.includes('/')) return topLevel.has(first) || ignored.includes(`${first}/`)
  return /\.(md|ts|tsx|mjs|cjs|json|yml)$/.test(span)
}

/**
 * Pages that developers and operators follow: their files, npm scripts, verbs of `npm run ops` and paths of the API must
 * exist. Others also name those of the providers.
 */
const followed = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/operate.md',
  'docs/alerts.md',
  'docs/threats.md',
]

function brokenLinks(page: string, text: string): string[] {
  const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([\w-]+))?\)/g)]
  return links.flatMap(([, path = '', anchor]) => {
    const target = path === '' ? page : posix.join(posix.dirname(page), path)
    if (!exists(target)) return [target]
    return anchor === undefined || headingsOf(target).includes(anchor) ? [] : [`${target}#${anchor}`]
  })
}

/** Tests that a page names by path and titles: `folder/file.test.ts` "a describe", "a test". */
function missingTests(text: string): string[] {
  const named = text.matchAll(/`([\w./-]+\.(?:test\.tsx?|contract\.ts))`((?:,? "[^"]+")+)/g)
  return [...named].flatMap(([, file = '', titles = '']) => {
    if (!isInRepo(file)) return [file]
    const code = readRepoFile(file).replaceAll("\\'", "'")
    return titlesIn(titles).flatMap((title) => (code.includes(title) ? [] : [`${file} "${title}"`]))
  })
}

const titlesIn = (text: string) => [...text.matchAll(/"([^"]+)"/g)].map(([, title = '']) => title)

const shortNames = files
  .filter((file) => /\.(?:test\.tsx?|contract\.ts)$/.test(file))
  .map((file) => ({
    file,
    short: file.replace(/(?:\.process|\.contract)?(?:\.full)?(?:\.test)?\.tsx?$/, ''),
  }))

/** Tests of a short name: `orders.store` is `orders.store.test.ts` in whatever folder, `journeys/sessions` that of a folder. */
const testsNamed = (name: string) =>
  shortNames.filter(({ short }) => `/${short}`.endsWith(`/${name}`)).map(({ file }) => file)

/** Each line of the promises names one test by file and title, a rule of an import, a check, or says "No test". */
function brokenPromises(): string[] {
  const lines = readRepoFile('docs/promises.md').match(/^- .+$/gm) ?? []
  return lines.flatMap((line) => {
    const named = [...line.matchAll(/`([\w./-]+)`((?:,? "[^"]+")+)/g)]
    const checks = [...line.matchAll(/check `npm run ([\w:-]+)`/g)].map(([, name = '']) => name)
    const isProven = named.length > 0 || checks.length > 0
    if (isProven === / No test\.$/.test(line)) return [`neither a test nor "No test.": ${line}`]
    return [
      ...checks.filter((name) => scripts[name] === undefined).map((name) => `npm run ${name}`),
      ...named.flatMap(([, name = '', titles = '']) =>
        titlesIn(titles)
          .filter((title) => !isOneTest(name, title))
          .map((title) => `not one test: ${name} "${title}"`),
      ),
    ]
  })
}

const ruleFiles: Record<string, string> = {
  'dependency-cruiser': '.dependency-cruiser.cjs',
  biome: 'biome.json',
}

/** A title is one string of the code; one that ends with `…` is the beginning of one. */
function isOneTest(name: string, title: string): boolean {
  const rules = ruleFiles[name]
  const sources = rules === undefined ? testsNamed(name) : [rules]
  const code = sources.map((file) => readRepoFile(file).replaceAll("\\'", "'")).join('\n')
  const isBeginning = title.endsWith('…')
  const begun = (isBeginning ? title.slice(0, -1) : title).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const found = code.match(new RegExp(`(?<=['"\`])${begun}${isBeginning ? '' : `(?=['"\`])`}`, 'g')) ?? []
  return isBeginning ? found.length === 1 : found.length > 0
}

const operatorTool = `${readRepoFile('scripts/ops.ts')}\n${readRepoFile('scripts/ops/verbs.ts')}`

/** True for a verb of `npm run ops`: it begins a line of the usage or of the table of verbs. */
const isVerb = (name: string) => new RegExp(`^ +'?${name}'?[ :,]`, 'm').test(operatorTool)

function brokenNames(text: string): string[] {
  const spans = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, span = '']) => span,
  )
  const commands = [...text.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map(
    ([, long, short]) => long ?? short ?? '',
  )
  const verbs = [...text.matchAll(/\bnpm run ops -- ([\w-]+)/g)].map(([, verb = '']) => verb)
  const called = spans.flatMap(
    (span) => /^(?:GET |POST |PUT |PATCH |DELETE )?(\/api[^\s?]*)/.exec(span)?.[1] ?? [],
  )
  return [
    ...spans.filter((span) => isPath(span) && !exists(span)),
    ...commands.filter((name) => scripts[name] === undefined).map((name) => `npm run ${name}`),
    ...verbs.filter((verb) => !isVerb(verb)).map((verb) => `npm run ops -- ${verb}`),
    ...called.filter(
      (path) => !otherPaths.includes(path) && !apiPaths.includes(path.replace(/\{(\w+)\}/g, ':$1')),
    ),
  ]
}

const repeatedRows = (page: string) =>
  page.startsWith('docs/wires/') ? rowsOf(page).filter((row, index, rows) => rows.indexOf(row) !== index) : []

/** Each chapter of the specification numbers its lines without a gap, and each line names tests, each one file. */
function brokenSpecification(): string[] {
  const rows = [...specification.matchAll(/^\| (\d)\.(\d+) \| .+? \| (.+?) \|.* \|$/gm)]
  const chapters = Map.groupBy(rows, ([, chapter = '']) => chapter)
  const missing = [...specification.matchAll(/^## §(\d) /gm)].flatMap(([, chapter = '']) => {
    const lines = chapters.get(chapter) ?? []
    const isWhole = lines.length > 0 && lines.every(([, , number], index) => Number(number) === index + 1)
    return isWhole ? [] : [`§${chapter} does not number each of its lines`]
  })
  const wrong = rows.flatMap(([, chapter, number, tests = '']) => {
    const named = [...tests.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
    const unknown = named.filter((name) => testsNamed(name).length !== 1)
    return [...(named.length === 0 ? ['no test'] : []), ...unknown].map(
      (what) => `${chapter}.${number} ${what}`,
    )
  })
  return [...missing, ...wrong]
}

const broken = [
  ...citing.flatMap((path) =>
    brokenCitations(path, readRepoFile(path)).map((citation) => `${path}: ${citation}`),
  ),
  ...documents.flatMap((page) => brokenLinks(page, readRepoFile(page)).map((target) => `${page}: ${target}`)),
  ...followed.flatMap((page) => brokenNames(readRepoFile(page)).map((name) => `${page}: ${name}`)),
  ...documents.flatMap((page) => missingTests(readRepoFile(page)).map((test) => `${page}: ${test}`)),
  ...brokenPromises().map((line) => `docs/promises.md: ${line}`),
  ...brokenSpecification().map((row) => `docs/specification.md: ${row}`),
  ...documents.flatMap((page) => repeatedRows(page).map((row) => `${page}: only one row ${row}`)),
]
for (const line of broken) console.error(`does not exist: ${line}`)
if (broken.length > 0) process.exitCode = 1
