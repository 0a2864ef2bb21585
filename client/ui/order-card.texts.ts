import { registerTexts } from '#client/platform/i18n.ts'
import ar from './order-card.ar.json'
import en from './order-card.en.json'

registerTexts('order-card', { ar, en })
