// @vitest-environment jsdom
import { expect, it, vi } from 'vitest'
import { trustedWorkerUrl } from './trusted-types.ts'

it('creates the one policy that the content policy allows, for the address of the service worker alone', () => {
  const createPolicy = vi.fn((_name: string, rules: object) => rules)
  vi.stubGlobal('trustedTypes', { createPolicy })
  expect(trustedWorkerUrl()).toBe('/sw.js')
  expect(createPolicy.mock.calls.map(([name]) => name)).toEqual(['service-worker'])
  const [[, rules] = []] = createPolicy.mock.calls
  expect(Object.keys(rules ?? {})).toEqual(['createScriptURL'])
  const { createScriptURL } = rules as { createScriptURL: (url: string) => string }
  expect(createScriptURL('https://evil.example/sw.js')).toBe('/sw.js')
})

it('needs no policy where browsers know none', () => {
  vi.stubGlobal('trustedTypes', undefined)
  expect(trustedWorkerUrl()).toBe('/sw.js')
})
