import { renderLetter } from '#server/features/messages/letter.html.ts'
import { codeLetter } from '#server/features/messages/letter.texts.ts'
import type { LanguageCode } from '#shared/platform/language.ts'

/** The OTP service puts the code in its place (docs/wires/otp.md O32). */
const codePlace = '{{twilio_code}}'

const htmlIn = (language: LanguageCode) =>
  renderLetter(codeLetter(language, codePlace), { isTemplate: true }).html.trim()

/** `shared/wire/otp/code-letter.html`: the letter with a code, in the language of the request (O31). */
export const codeLetterTemplate = (): string =>
  `{{#equals language "en"}}${htmlIn('en')}{{else}}${htmlIn('ar')}{{/equals}}\n`
