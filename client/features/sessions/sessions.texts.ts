import { registerTexts } from '#client/platform/i18n.ts'
import ar from './sessions.ar.json'
import en from './sessions.en.json'

registerTexts('sessions', { ar, en })
