import type { FastifyRequest } from 'fastify'
import {
  defaultLanguage,
  isLanguageCode,
  type LanguageCode,
  languageCookie,
} from '#shared/platform/language.ts'

/** The caller's language: the cookie, then Accept-Language, then Arabic. */
export function languageOf(request: FastifyRequest): LanguageCode {
  const chosen = request.cookies?.[languageCookie.name]
  if (isLanguageCode(chosen)) return chosen
  return fromHeader(request.headers['accept-language']) ?? defaultLanguage
}

/** The first of our languages in the order of the header's weights. */
export function fromHeader(header: string | undefined): LanguageCode | undefined {
  if (!header) return undefined
  return header
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(';')
      const weight = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1]).find(Boolean)
      return {
        code: tag.trim().toLowerCase().split('-')[0],
        weight: weight === undefined ? 1 : Number(weight),
      }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ code }) => code)
    .find(isLanguageCode)
}
