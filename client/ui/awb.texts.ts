import { registerTexts } from '#client/platform/i18n.ts'
import ar from './awb.ar.json'
import en from './awb.en.json'

registerTexts('awb', { ar, en })
