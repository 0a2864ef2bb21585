import { registerTexts } from '#client/platform/i18n.ts'
import ar from './agent-orders.ar.json'
import en from './agent-orders.en.json'

registerTexts('agent-orders', { ar, en })
