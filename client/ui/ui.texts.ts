import { registerTexts } from '#client/platform/i18n.ts'
import ar from './ui.ar.json'
import en from './ui.en.json'

registerTexts('ui', { ar, en })
