import { registerTexts } from '#client/platform/i18n.ts'
import ar from './payment.ar.json'
import en from './payment.en.json'

registerTexts('payment', { ar, en })
