import { registerTexts } from '#client/platform/i18n.ts'
import ar from './checkout.ar.json'
import en from './checkout.en.json'

registerTexts('checkout', { ar, en })
