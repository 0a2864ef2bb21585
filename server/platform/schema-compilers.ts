import { AjvCompiler } from '@fastify/ajv-compiler'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyInstance, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import { readableForms, typedForms } from '#shared/platform/typed-text.ts'

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

/** `x-typed` of a schema: what a person typed is cleaned before its length is checked, and the handler gets it so. */
const typed = {
  keyword: 'x-typed',
  type: 'string',
  schemaType: 'string',
  modifying: true,
  before: 'maxLength',
  errors: false,
  compile: (form: keyof typeof typedForms) => (text: string, at?: DataContext) => {
    if (at) at.parentData[at.parentDataProperty] = typedForms[form](text)
    return true
  },
} as const

/** `x-readable` of a schema: checked once the text is cleaned. */
const readable = {
  keyword: 'x-readable',
  type: 'string',
  schemaType: 'string',
  before: 'maxLength',
  compile: (form: keyof typeof readableForms) => (text: string) => readableForms[form](text),
} as const

interface DataContext {
  readonly parentData: Record<string | number, unknown>
  readonly parentDataProperty: string | number
}

const customOptions = {
  keywords: [typed, readable],
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: true,
}
/** Its type names the schema as the parameter; it is called with the route. */
const compile = AjvCompiler()({}, { customOptions }) as unknown as (route: unknown) => Check

/** As Fastify calls it: the errors are a property of the function. */
interface Check {
  (value: unknown): boolean
  errors?: readonly object[] | null | undefined
}

/** A form shows a handful. A body with hundreds of unknown fields must not make an answer of hundreds. */
const mostErrors = 10

const validator: FastifySchemaCompiler<unknown> = (route) => {
  const validate = compile(route)
  const check: Check = (value) => {
    const isValid = validate(value)
    check.errors = validate.errors?.slice(0, mostErrors)
    return isValid
  }
  return check as ReturnType<FastifySchemaCompiler<unknown>>
}
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
