import { parseSync } from 'vite'
import { expect, it } from 'vitest'
import { slimContract } from './contract.plugin.ts'

it('keeps of an operation what the browser reads, also what several share', () => {
  expect(
    slim(`import Type from 'typebox'
const act = { method: 'POST', params: Type.Object({}) } as const
export const note = defineOperation({ ...act, path: '/note', summary: 'A line', body: Note })
export const list = defineOperation({ method: 'GET', path: '/list', summary: 'Lines', access: 'staff' })`),
  ).toBe(`
const act = { method: 'POST', params: { properties: {} } } as const
export const note = /* @__PURE__ */ defineOperation({ ...act, path: '/note', })
export const list = /* @__PURE__ */ defineOperation({ method: 'GET', path: '/list', access: 'staff' })`)
})

/** A file of the shared contract, as the plugin leaves it. */
function slim(code: string): string {
  const { transform } = slimContract()
  if (typeof transform !== 'object') throw new Error('the plugin transforms by a filter')
  const context = { parse: (text: string) => parseSync('shared/a.ts', text).program }
  const { code: slimmed } = transform.handler.call(context as never, code, '/shared/a.ts', {} as never) as {
    code: string
  }
  return slimmed
}
