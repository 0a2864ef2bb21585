import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Engine } from '#server/platform/database/database.ts'
import { hashOf, schemaSteps } from '#server/platform/database/migrate.ts'
import { readRepoFile } from '#test/kit/repo/repo-files.ts'

/**
 * Hashes of the statements of released migrations, as databases store them. A row is never changed. Releasing a version adds
 * those of its migrations: this test prints them once the first heading of CHANGELOG.md has the date of the release.
 */
const released: Readonly<Record<string, Readonly<Record<Engine, string>>>> = {}

const hashes = Object.fromEntries(
  Object.entries(schemaSteps).map(([name, step]) => [
    name,
    {
      sqlite: hashOf(step, 'sqlite'),
      postgres: hashOf(step, 'postgres'),
    },
  ]),
)

it('a released migration is never edited', () => {
  const [heading = ''] = /^## .+$/m.exec(readRepoFile('CHANGELOG.md')) ?? []
  expect(heading).toMatch(/^## (v\d+\.\d+\.\d+ · \d{4}-\d{2}-\d{2}|v\d+\.\d+\.\d+ · not released)$/)
  if (heading.endsWith('not released')) expect(hashes).toMatchObject(released)
  else expect(hashes).toEqual(released)
})

/** Rows of SQLite hold names in this spelling. On PostgreSQL it is a statement of the schema, whose hash the database has. */
const spelling: Readonly<Record<string, string>> = {
  'shared/platform/spelling.ts': '491ec1e03c16f0584430ba9e6a66e03ff0d6a575a734f8e92d289e13c8aa7fc6',
}

const sumOf = (file: string) => createHash('sha256').update(readRepoFile(file)).digest('hex')

it('knows when the spelling of names changes, which existing databases would not follow', () => {
  expect(Object.fromEntries(Object.keys(spelling).map((file) => [file, sumOf(file)]))).toEqual(spelling)
})
