import { AjvCompiler } from '@fastify/ajv-compiler'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyInstance, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import { readableForms, typedForms } from '#shared/platform/typed-text.ts'

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

/** `x-typed` cleans a typed text before its length is checked. The handler gets the clean text. */
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

/** The keyword `x-readable` checks a text after `x-typed` has cleaned it. */
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
const compile = AjvCompiler()({}, { customOptions }) as unknown as (route: unknown) => Check

interface Check {
  (value: unknown): boolean
  errors?: readonly object[] | null | undefined
}

/** A body with hundreds of unknown fields must not cause a huge response. */
const mostErrors = 10

const validator: FastifySchemaCompiler<unknown> = (route) => {
  let validate: Check | undefined
  const check: Check = (value) => {
    validate ??= compile(route)
    const isValid = validate(value)
    check.errors = validate.errors?.slice(0, mostErrors)
    return isValid
  }
  return check as ReturnType<FastifySchemaCompiler<unknown>>
}
const compileWriter = SerializerSelector()() as FastifySerializerCompiler<unknown>
const serializer: FastifySerializerCompiler<unknown> = (route) => {
  let write: ReturnType<typeof compileWriter> | undefined
  return (value) => {
    write ??= compileWriter(route)
    return write(value)
  }
}
const validatorOf = once(validator)
const serializerOf = once(serializer)

export const writerOf = (schema: object): ((value: unknown) => string) =>
  serializerOf({ schema, method: 'GET', url: '', httpStatus: '200' })

/**
 * Compiling all schemas takes a quarter of the start time, so each is compiled once per process, at its first use. Our
 * compilers do not change header names to small letters, so schemas must contain small letters.
 */
export function registerSchemaCompilers(app: FastifyInstance): void {
  app.setValidatorCompiler(validatorOf)
  app.setSerializerCompiler(serializerOf)
}
