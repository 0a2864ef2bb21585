import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { bodyExamples } from '#shared/openapi.ts'
import { operations } from '#shared/operations.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import { describeApi } from './openapi.ts'

const { paths, components } = describeApi(
  [operations.logout, operations.receiveCallback, operations.listAgents, operations.readOrder],
  { version: '1.2.3', sessionCookie: 'session_3000' },
)

describe('the document of an API', () => {
  it('has what is registered, and nothing else', () => {
    expect(Object.keys(paths).sort()).toEqual([
      '/api/auth/logout',
      '/api/orders/{id}',
      '/api/partner/agents',
      '/api/payments/callback',
    ])
  })

  it('refers to a schema that has a name', () => {
    expect(paths['/api/orders/{id}']?.get).toMatchObject({
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      responses: {
        200: {
          content: {
            'application/json': {
              schema: { properties: { order: { $ref: '#/components/schemas/Order' } } },
            },
          },
        },
      },
    })
    expect(components.schemas.OrderPage).toMatchObject({
      properties: { orders: { items: { $ref: '#/components/schemas/Order' } } },
    })
  })

  it('lets a body be absent that may be null', () => {
    expect(paths['/api/auth/logout']?.post?.requestBody).toMatchObject({
      required: false,
      content: { 'application/json': { schema: { type: 'object' } } },
    })
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
