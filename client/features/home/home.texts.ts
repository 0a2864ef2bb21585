import { registerTexts } from '#client/platform/i18n.ts'
import ar from './home.ar.json'
import en from './home.en.json'

registerTexts('home', { ar, en })
