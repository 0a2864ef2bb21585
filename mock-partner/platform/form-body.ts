import { parse } from 'node:querystring'
import type { FastifyInstance } from 'fastify'

/** The fields of a form, the first one where a name is repeated. */
export type FormFields = Record<string, string>

/**
 * Reads `application/x-www-form-urlencoded` bodies as `FormFields` on this scope, and every other body as an empty
 * form: a service that speaks forms does not see the fields of a JSON body.
 */
export function readForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      const fields = Object.entries(parse(String(body))).map(([name, value]): [string, string] => [
        name,
        (Array.isArray(value) ? value[0] : value) ?? '',
      ])
      done(null, Object.fromEntries(fields))
    },
  )
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null, {}))
}
