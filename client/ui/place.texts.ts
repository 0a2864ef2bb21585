import { registerTexts } from '#client/platform/i18n.ts'
import ar from './place.ar.json'
import en from './place.en.json'

registerTexts('place', { ar, en })
