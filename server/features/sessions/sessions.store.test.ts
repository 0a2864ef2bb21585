import { forEachEngine } from '#test/kit/databases.ts'
import { sessionsStoreLaws } from './sessions.store.contract.ts'

forEachEngine(sessionsStoreLaws)
