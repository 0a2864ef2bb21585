import { registerTexts } from '#client/platform/i18n.ts'
import ar from './shell.ar.json'
import en from './shell.en.json'

registerTexts('shell', { ar, en })
