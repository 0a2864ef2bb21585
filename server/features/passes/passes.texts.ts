import { loadTexts } from '#server/platform/texts.ts'
import ar from './locales/ar.json' with { type: 'json' }
import en from './locales/en.json' with { type: 'json' }

export const passTextsIn = loadTexts('passes', { ar, en })
