import { registerTexts } from '#client/platform/i18n.ts'
import ar from './account.ar.json'
import en from './account.en.json'

registerTexts('account', { ar, en })
