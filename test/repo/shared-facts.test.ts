import { expect, it } from 'vitest'
import { colours } from '#server/features/receipts/receipts.colours.ts'
import { locationsOf, readRepoFile, repoFiles, testFile } from '#test/kit/repo/repo-files.ts'

/** Facts that two apps state, because they share no code beyond the contract, or that a text has to repeat. */

const code = ['server', 'client', 'shared', 'mock-partner', 'scripts'].flatMap((folder) =>
  repoFiles(folder, /\.(tsx?|mjs)$/, testFile),
)
const found = (pattern: RegExp, except: readonly string[] = []) =>
  code.filter((path) => !except.includes(path)).flatMap((path) => locationsOf(path, pattern))

it('a colour on paper is that of the token with its name, in the light scheme', () => {
  const [light = ''] = readRepoFile('client/ui/tokens.css').split('@media')
  expect(Object.keys(colours).length).toBeGreaterThan(5)
  for (const [token, colour] of Object.entries(colours)) expect(light).toContain(`--${token}: ${colour};`)
})

it('dates and times of pages are formatted by one module', () => {
  const others = found(/\bIntl\.(?:DateTime|RelativeTime)Format\b|\.toLocale(?:Date|Time)?String\(/, [
    'client/platform/dates.ts',
  ])
  expect(others.filter((location) => location.startsWith('client/'))).toEqual([])
})

it('the offset of Riyadh is written once', () => {
  const literals = /\b3 \* (?:60 \* 60|3_?600)|\b10_?800_?000\b|(['"])\+03:00\1/
  expect(found(literals, ['shared/platform/instant.ts'])).toEqual([])
})
