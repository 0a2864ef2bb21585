import { expect, it } from 'vitest'
import { auditActionNames } from '#shared/audit/audit.names.ts'
import { readRepoFile, repoFiles, testFile } from '#test/kit/repo-files.ts'

it('every kind of action that is recorded by its name has one in the languages of the desk', () => {
  const files = ['server/features', 'scripts/ops'].flatMap((folder) => repoFiles(folder, /\.ts$/))
  const recorded = files
    .filter((file) => !testFile.test(file) && !file.includes('.contract.'))
    .flatMap((file) => [...readRepoFile(file).matchAll(/\baction: '([a-z-]+)'/g)].map(([, action]) => action))
  expect(recorded.length).toBeGreaterThan(20)
  expect(recorded.filter((action) => !Object.hasOwn(auditActionNames, action ?? ''))).toEqual([])
})
