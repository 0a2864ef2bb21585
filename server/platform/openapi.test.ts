import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { bodyExamples } from '#shared/openapi.ts'
import { operations } from '#shared/operations.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import { type ApiDocument, completeDocument } from './openapi.ts'

const problem = { type: 'object', properties: { success: { enum: ['no', 'never'] } } }
const empty = { type: 'object', properties: {}, additionalProperties: false }
const ok = { content: { 'application/json': { schema: { anyOf: [problem, { type: 'null' }] } } } }

const documentOf = (paths: ApiDocument['paths']): ApiDocument => ({
  paths,
  components: { schemas: { Problem: problem } },
})

describe('completeDocument', () => {
  const { paths, components } = completeDocument(
    documentOf({
      '/api/auth/logout': {
        post: {
          requestBody: { content: { 'application/json': { schema: { anyOf: [empty, { type: 'null' }] } } } },
          responses: { 200: ok, '4XX': {} },
        },
      },
      '/api/payments/callback': {
        post: { parameters: [{ name: 'hmac', in: 'query' }], responses: { 200: ok } },
      },
      '/api/partner/agents': { get: { responses: { 200: ok } } },
      '/else/where': { get: { responses: { 200: ok } } },
    }),
  )

  it('refers to a schema that has a name', () => {
    expect(paths['/else/where']?.get?.responses[200]).toEqual({
      content: {
        'application/json': {
          schema: { anyOf: [{ $ref: '#/components/schemas/Problem' }, { type: 'null' }] },
        },
      },
    })
    expect(components.schemas.Problem).toEqual({
      type: 'object',
      properties: { success: { type: 'string', enum: ['no', 'never'] } },
    })
  })

  it('lets a body be absent that may be null', () => {
    expect(paths['/api/auth/logout']?.post?.requestBody).toEqual({
      required: false,
      content: { 'application/json': { schema: empty } },
    })
  })

  it('describes each failure by status and code instead of by class', () => {
    expect(Object.keys(paths['/api/auth/logout']?.post?.responses ?? {})).toEqual([
      ...['200', '400', '403', '413', '415', '421', '500', '503'],
    ])
  })

  it('names a signature as a security scheme, not as a parameter', () => {
    expect(paths['/api/payments/callback']?.post).toMatchObject({ security: [{ callbackSignature: [] }] })
    expect(paths['/api/payments/callback']?.post).not.toHaveProperty('parameters')
  })

  it('describes conditional requests where answers carry an ETag', () => {
    expect(paths['/api/partner/agents']?.get).toMatchObject({
      parameters: [{ name: 'If-None-Match', in: 'header' }],
      responses: { 200: { headers: { ETag: {} } }, 304: { headers: { ETag: {} } } },
    })
  })
})

describe('examples of bodies', () => {
  it.each(Object.entries(bodyExamples))('%s has one that its schema takes', (name, example) => {
    const { body }: OperationShape = operations[name as keyof typeof operations]
    expect(body && Value.Check(body, example)).toBe(true)
  })
})
