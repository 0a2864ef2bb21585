import { registerTexts } from '#client/platform/i18n.ts'
import ar from './booking.ar.json'
import en from './booking.en.json'

registerTexts('booking', { ar, en })
