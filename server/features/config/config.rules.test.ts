import { expect, it } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { shownConfig } from './config.rules.ts'

it('the browser gets the sentence about lost bags in each language, as the operator wrote it', () => {
  const config = readConfig({
    LIABILITY_SENTENCE_AR: 'عن الحقيبة المفقودة…',
    LIABILITY_SENTENCE_EN: 'For a lost bag…',
  })
  expect(shownConfig(config).purchase.liability).toEqual({
    ar: 'عن الحقيبة المفقودة…',
    en: 'For a lost bag…',
  })
})

it('the browser is told of a trial in live alone: the demo says by itself that it is one', () => {
  const trial = readConfig({ PAYMENT_TEST: 'true' })
  expect(shownConfig(trial).paymentTest).toBe(false)
  expect(shownConfig({ ...trial, MODE: 'live' }).paymentTest).toBe(true)
  expect(shownConfig({ ...trial, MODE: 'live', PAYMENT_TEST: false }).paymentTest).toBe(false)
})
