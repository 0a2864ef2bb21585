import { registerTexts } from '#client/platform/i18n.ts'
import ar from './orders.ar.json'
import en from './orders.en.json'

registerTexts('orders', { ar, en })
