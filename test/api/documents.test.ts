import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { documentFile } from '#shared/platform/document-role.ts'
import { type LanguageCode, languages } from '#shared/platform/language.ts'
import { previewsIn } from '#shared/platform/link-preview.ts'
import { words } from '#test/kit/browser/words.ts'
import { readRepoFile, repoRoot } from '#test/kit/repo/repo-files.ts'

const codes = Object.keys(languages) as LanguageCode[]

it.each(codes)(
  'the document after a payment says what is checked, and never that it is booked: %s',
  (language) => {
    const html = readRepoFile(`dist/client/documents/${documentFile('thankYou', language, 'user')}`)
    const main = /<main[^>]*>(.*)<\/main>/s.exec(html)?.[1] ?? ''
    const t = words(language)
    expect(main).toContain(t('shell:checking'))
    expect(main).toContain('data-loading')
    // No order is known to the gateway when it sends a document.
    expect(main).not.toContain(t('pass:booked'))
  },
)

it.each(codes)(
  'every picture of a link is one that messengers show, and each city has its own: %s',
  (language) => {
    const pictures = previewsIn(language)
    const hashes = pictures.map(({ picture }) => {
      const png = readFileSync(join(repoRoot, 'dist/client', picture))
      expect([png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)], picture).toEqual([
        'PNG',
        1200,
        630,
      ])
      // WhatsApp shows no larger one.
      expect(png.length, picture).toBeLessThan(300_000)
      return createHash('sha256').update(png).digest('hex')
    })
    expect(new Set(hashes).size).toBe(pictures.length)
  },
)
