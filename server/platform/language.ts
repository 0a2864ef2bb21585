import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import {
  defaultLanguage,
  isLanguageCode,
  type LanguageCode,
  languageCookie,
  languages,
} from '#shared/platform/language.ts'

const codes = Object.keys(languages)

/** The cookie decides about the language, then Accept-Language (RFC 9110, 12.5.4), then the default. */
export function languageOf(request: FastifyRequest): LanguageCode {
  const chosen = request.cookies?.[languageCookie.name]
  if (isLanguageCode(chosen)) return chosen
  const negotiated = new Negotiator(request).language(codes)
  return isLanguageCode(negotiated) ? negotiated : defaultLanguage
}
