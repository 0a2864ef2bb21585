import { forEachEngine } from '#test/kit/databases.ts'
import { codesStoreLaws } from './codes.store.contract.ts'

forEachEngine(codesStoreLaws)
