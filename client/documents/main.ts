import { dropLanguageFromAddress } from '#client/platform/language-address.ts'
import { fillIn } from './fill-in.ts'

/*
 * The script of documents that are read without the app. The build makes one file of it that shares nothing with the app.
 */

dropLanguageFromAddress()
// Without an answer the page stays as it is.
void fillIn().catch(() => undefined)
