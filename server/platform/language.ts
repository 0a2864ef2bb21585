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

export function languageOf(request: FastifyRequest): LanguageCode {
  const chosen = request.cookies?.[languageCookie.name]
  if (isLanguageCode(chosen)) return chosen
  const negotiated = new Negotiator(request).language(codes)
  return isLanguageCode(negotiated) ? negotiated : defaultLanguage
}
