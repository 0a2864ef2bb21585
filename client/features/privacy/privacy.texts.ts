import { registerTexts } from '#client/platform/i18n.ts'
import ar from './privacy.ar.json'
import en from './privacy.en.json'

registerTexts('privacy', { ar, en })
