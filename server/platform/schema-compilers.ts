import { AjvCompiler } from '@fastify/ajv-compiler'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyInstance, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'

/** Returns what `compile` returned for an equal schema. */
function once<Route extends { schema: unknown }, Compiled>(compile: (route: Route) => Compiled) {
  const compiled = new Map<string, Compiled>()
  return (route: Route): Compiled => {
    const text = JSON.stringify(route.schema)
    const known = compiled.get(text)
    if (known !== undefined) return known
    const result = compile(route)
    compiled.set(text, result)
    return result
  }
}

const customOptions = { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: true }
/** Its type names the schema as the parameter; it is called with the route. */
const validator = AjvCompiler()({}, { customOptions }) as unknown as FastifySchemaCompiler<unknown>
const serializer = SerializerSelector()() as FastifySerializerCompiler<unknown>
const validatorOf = once(validator)
const serializerOf = once(serializer)

/** Writes values of a schema as JSON, with the fields that it names. */
export const writerOf = (schema: object): ((value: unknown) => string) =>
  serializerOf({ schema, method: 'GET', url: '', httpStatus: '200' })

/**
 * How requests are checked and responses are written. Most operations share the schemas of their failures: each is
 * compiled once in a process. With compilers of its own Fastify takes the names of headers as the schemas write them,
 * which is in small letters.
 */
export function registerSchemaCompilers(app: FastifyInstance): void {
  app.setValidatorCompiler(validatorOf)
  app.setSerializerCompiler(serializerOf)
}
