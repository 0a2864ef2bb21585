import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isInRepo, readRepoFile, repoFiles } from '#test/kit/repo-files.ts'

/**
 * Code and documents cite their sources in four forms: a file (`docs/runbook.md`), a numbered row of a wire
 * (`docs/wires/payment.md P6`), a rule or row about payments (`R13`, in a file that names the page once), and a chapter or a
 * line of the specification (`spec §5`, `spec 5.4`). Each leads to something that exists.
 */
const citing = repoFiles('', /\.(tsx?|mjs|css|md)$/, /^(CHANGELOG\.md|test\/repo\/citations\.test\.ts)$/)

const wiresPage = (wire: string) => `docs/wires/${wire}.md`
const payment = wiresPage('payment')

/** Numbers of the rows of a page: `| P6 | …`. */
const rowsOf = (text: string) =>
  new Set([...text.matchAll(/^\| ([A-Z]\d+) \|/gm)].map(([, row]) => row ?? ''))

/** Every number of `P6`, `P6, P7` or `P6 and P7`. */
const numbersIn = (list: string) => list.match(/[A-Z]\d+/g) ?? []

const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const headingsOf = (text: string) => [...text.matchAll(/^#{1,4} (.+)$/gm)].map(([, heading]) => heading ?? '')

/** Citations of notes that are not in the repository. */
const unpublished = /\bfacts[:/ ]\s*(?:[\w-]+ )?(?:§\d|S\d)|\bdesign §\d|\bpitfall \d/g

/** Lines of comments, and every line of a document: `R1` in code may be any string. */
function proseOf(path: string, text: string): string {
  if (path.endsWith('.md')) return text
  return text
    .split('\n')
    .map((line) => /^\s*(?:\/?\*|\/\/)(.*)$|\/\*\*(.*)$/.exec(line))
    .map((match) => match?.[1] ?? match?.[2] ?? '')
    .join('\n')
}

/** The citations of one file that lead nowhere. */
function brokenIn(path: string, text: string): string[] {
  const broken: string[] = []
  for (const [citation, file = '', anchor] of text.matchAll(
    /(?<![\w./-])(docs\/[\w/-]+\.(?:md|json))(?:#([\w-]+))?/g,
  )) {
    if (!isInRepo(file)) broken.push(citation)
    else if (anchor !== undefined && !headingsOf(readRepoFile(file)).map(slugOf).includes(anchor))
      broken.push(citation)
  }
  for (const [citation, wire = '', list = ''] of text.matchAll(
    /docs\/wires\/(\w+)\.md`? ((?:[A-Z]\d+(?:, | and )?)+)/g,
  )) {
    const rows = isInRepo(wiresPage(wire)) ? rowsOf(readRepoFile(wiresPage(wire))) : new Set()
    if (numbersIn(list).some((number) => !rows.has(number))) broken.push(citation)
  }
  const specification = readRepoFile('docs/specification.md')
  for (const [citation, list = ''] of text.matchAll(
    /\bspec(?:ification)? ((?:(?:§\d+|\d+\.\d+)(?:, | and )?)+)/gi,
  )) {
    const chapters = list.match(/§\d+/g) ?? []
    const lines = list.match(/\d+\.\d+/g) ?? []
    const isKnown =
      chapters.every((chapter) => specification.includes(`## ${chapter} `)) &&
      lines.every((line) => specification.includes(`**${line}**`) || specification.includes(`| ${line} |`))
    if (!isKnown) broken.push(citation)
  }
  const rules = path === payment ? [] : (proseOf(path, text).match(/\b[PR]\d{1,2}\b/g) ?? [])
  if (rules.length > 0) {
    if (!text.includes(payment)) broken.push(`${rules[0]} without ${payment}`)
    const rows = rowsOf(readRepoFile(payment))
    broken.push(...rules.filter((rule) => !rows.has(rule)))
  }
  return [...broken, ...(text.match(unpublished) ?? [])]
}

describe('citations', () => {
  it('lead to what exists', () => {
    const broken = citing.flatMap((path) =>
      brokenIn(path, readRepoFile(path)).map((citation) => `${path}: ${citation}`),
    )
    expect(broken).toEqual([])
  })

  it.each([
    'docs/nothing.md',
    'docs/specification.md#nothing',
    'docs/wires/payment.md P999',
    'spec §12',
    'Specification 2.999',
    'spec §5, 5.99',
    '/** Not before (R99). docs/wires/payment.md */',
    '/** Not before (R13). */',
    'the sum of the items (facts §2)',
    'due to keep (facts: shipping §5)',
  ])('%s is noticed', (text) => {
    expect(brokenIn('a.ts', text)).toHaveLength(1)
  })

  it('numbers every row of a page once', () => {
    for (const wire of ['payment', 'otp', 'shipping']) {
      const rows = [...readRepoFile(wiresPage(wire)).matchAll(/^\| ([A-Z]\d+) \|/gm)].map(([, row]) => row)
      expect(rows.length, wire).toBeGreaterThan(10)
      expect(new Set(rows).size, wire).toBe(rows.length)
    }
  })

  it('have a test vector of the signature that holds', () => {
    const page = readRepoFile(payment)
    const secret = /the secret `([^`]+)`/.exec(page)?.[1] ?? ''
    const [, text = '', signature] = /^```\n(.+)\n([0-9a-f]{128})\n```$/m.exec(page) ?? []
    expect(createHmac('sha512', secret).update(text).digest('hex')).toBe(signature)
  })

  it('say in the coverage what the specification says, followed by how the product reads it', () => {
    const lines = new Map(
      [...readRepoFile('docs/specification.md').matchAll(/^- \*\*(\d+\.\d+)\*\* (.+)$/gm)].map(
        ([, line = '', text = '']) => [line, text],
      ),
    )
    for (const [, line = '', says = ''] of readRepoFile('docs/spec-coverage.md').matchAll(
      /^\| (\d+\.\d+) \| (.+?) \| /gm,
    )) {
      const text = lines.get(line) ?? `no line ${line}`
      expect(says === text || says.startsWith(`${text} (`), `${line} ${says}`).toBe(true)
    }
  })
})
