import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadTexts } from '#server/platform/texts.ts'
import { type LanguageCode, languages } from '#shared/platform/language.ts'
import { readRepoFile, repoFiles } from '#test/kit/repo/repo-files.ts'

interface Catalogue {
  readonly [name: string]: string | Catalogue
}

const codes = Object.values(languages).map(({ code }) => code)
const folders = repoFiles('server', /\/locales\/en\.json$/).map(dirname)

const catalogueOf = (folder: string, code: LanguageCode): Catalogue =>
  JSON.parse(readRepoFile(`${folder}/${code}.json`))

/** Keys and texts. */
function textsOf(catalogue: Catalogue, path = ''): [key: string, text: string][] {
  return Object.entries(catalogue).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [[`${path}${name}`, value] as [string, string]]
      : textsOf(value, `${path}${name}.`),
  )
}

const form = /_(zero|one|two|few|many|other)$/
/** One number for each plural form of every language. */
const counts = [0, 1, 2, 3, 11, 100]

describe.each(folders)('%s', (folder) => {
  const catalogues = Object.fromEntries(codes.map((code) => [code, catalogueOf(folder, code)])) as Record<
    LanguageCode,
    Catalogue
  >
  const textsIn = loadTexts(folder, catalogues)
  const english = textsOf(catalogues.en)
  const keys = [...new Set(english.map(([key]) => key.replace(form, '')))]

  it.each(codes)('has in %s the keys of the English texts, with the plural forms of the language', (code) => {
    const forms = new Intl.PluralRules(code).resolvedOptions().pluralCategories
    const isPlural = (key: string) => english.some(([name]) => name !== key && name.replace(form, '') === key)
    const wanted = keys.flatMap((key) => (isPlural(key) ? forms.map((each) => `${key}_${each}`) : [key]))
    expect(
      textsOf(catalogues[code])
        .map(([key]) => key)
        .sort(),
    ).toEqual(wanted.sort())
  })

  it.each(codes)('shows in %s under every key all values of the English text', (code) => {
    const t = textsIn(code) as (key: string, values: Record<string, string | number>) => string
    for (const key of keys) {
      const source = english.filter(([name]) => name.replace(form, '') === key).map(([, text]) => text)
      const names = [...source.join().matchAll(/\{\{(.*?)\}\}/g)].map(([, name = '']) => name)
      const values = Object.fromEntries(names.map((name) => [name, `⟨${name}⟩`]))
      for (const count of counts) {
        const text = t(key, { ...values, count })
        expect(text.trim(), key).not.toBe('')
        expect(text, key).not.toMatch(/\{\{|\}\}|\$t\(/)
        for (const name of names.filter((each) => each !== 'count')) expect(text, key).toContain(`⟨${name}⟩`)
      }
    }
  })
})
