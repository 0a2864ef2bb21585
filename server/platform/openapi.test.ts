import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { operations } from '#shared/operations.ts'
import type { OperationShape } from '#shared/platform/operation.ts'
import { describeApi } from './openapi.ts'
import { exampleOf } from './openapi-examples.ts'

const { paths, components } = describeApi(
  [operations.logout, operations.receiveCallback, operations.listAgents, operations.readOrder],
  { version: '1.2.3', sessionCookie: 'session_3000', deskCookie: 'desk_3000' },
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
      parameters: [
        { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
        { name: 'If-None-Match' },
      ],
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
    expect(paths['/api/orders/{id}']?.get).toMatchObject({
      parameters: [{ name: 'id' }, { name: 'If-None-Match', in: 'header' }],
      responses: {
        200: { headers: { ETag: { description: 'Weak: a hash of the answer.' } } },
        304: { headers: { ETag: {} } },
      },
    })
    expect(paths['/api/partner/agents']?.get).toMatchObject({
      parameters: [{ name: 'If-None-Match', in: 'header' }],
      responses: { 200: { headers: { ETag: {} } }, 304: { headers: { ETag: {} } } },
    })
  })
})

describe('examples', () => {
  it.each(Object.entries<OperationShape>(operations))('%s has some that its schemas take', (_, operation) => {
    const { params, query, headers, body, response, contentType, status } = operation
    const answer = contentType === undefined && status === undefined ? response : undefined
    for (const schema of [params, query, headers, body, answer]) {
      if (schema === undefined) continue
      const example = exampleOf(schema)
      // Only the wire describes a body that the provider defines.
      if (example !== undefined) expect([...Value.Errors(schema, example)]).toEqual([])
    }
    expect(answer === undefined || exampleOf(answer) !== undefined).toBe(true)
  })
})
