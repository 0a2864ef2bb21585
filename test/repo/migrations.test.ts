import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { readRepoFile } from '#test/kit/repo-files.ts'

/** Rows of SQLite hold names in this spelling. On PostgreSQL it is a statement of the schema, whose hash the database has. */
const spelling: Readonly<Record<string, string>> = {
  'shared/platform/spelling.ts': '6e890598f5bed6e0d5d778acbb58851473297f6efc7a4fcbb6a74a676bca23e6',
}

const sumOf = (file: string) => createHash('sha256').update(readRepoFile(file)).digest('hex')

it('knows when the spelling of names changes, which existing databases would not follow', () => {
  expect(Object.fromEntries(Object.keys(spelling).map((file) => [file, sumOf(file)]))).toEqual(spelling)
})
