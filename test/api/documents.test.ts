import { expect, it } from 'vitest'
import { type LanguageCode, languages } from '#shared/platform/language.ts'
import { readRepoFile } from '#test/kit/repo-files.ts'
import { words } from '#test/kit/words.ts'

const codes = Object.keys(languages) as LanguageCode[]

it.each(codes)(
  'the document after a payment says what is checked, and never that it is booked: %s',
  (language) => {
    const html = readRepoFile(`dist/client/documents/thankYou.${language}.html`)
    const main = /<main[^>]*>(.*)<\/main>/s.exec(html)?.[1] ?? ''
    const t = words(language)
    expect(main).toContain(t('shell:checking'))
    expect(main).toContain('data-loading')
    // No order is known to the gateway when it sends a document.
    expect(main).not.toContain(t('pass:booked'))
  },
)
