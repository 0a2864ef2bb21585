import { basename } from 'node:path'
import { isLanguageCode, type LanguageCode } from '#shared/platform/language.ts'
import { readRepoFile, repoFiles } from '../repo/repo-files.ts'

/** `words('en')('booking:title')`: the text a screen shows, read from the same catalogue the screen reads. */
export type Words = (key: string, values?: Readonly<Record<string, string | number>>) => string

const catalogues = new Map<string, unknown>()

function catalogueOf(namespace: string, language: LanguageCode): unknown {
  if (catalogues.size === 0)
    for (const file of repoFiles('client', /\.(ar|en)\.json$/))
      catalogues.set(basename(file, '.json'), JSON.parse(readRepoFile(file)))
  return catalogues.get(`${namespace}.${language}`)
}

export function words(language: LanguageCode): Words {
  if (!isLanguageCode(language)) throw new Error(`no language ${language}`)
  return (key, values = {}) => {
    const [namespace = '', path = ''] = key.split(':')
    const text = path
      .split('.')
      .reduce<unknown>(
        (level, step) => (level !== null && typeof level === 'object' ? Reflect.get(level, step) : undefined),
        catalogueOf(namespace, language),
      )
    if (typeof text !== 'string') throw new Error(`${language} has no text ${key}`)
    return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = values[name]
      if (value === undefined) throw new Error(`${key} needs ${name}`)
      return String(value)
    })
  }
}
