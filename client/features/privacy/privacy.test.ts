import { expect, it } from 'vitest'
import { retentionDays } from '#shared/platform/retention.ts'
import ar from './privacy.ar.json'
import en from './privacy.en.json'

it.each(Object.entries(retentionDays))('the page says in both languages how long %s are kept', (_, days) => {
  for (const { retention } of [ar, en]) expect(retention.old).toMatch(new RegExp(`\\b${days}\\b`))
})
