// @vitest-environment jsdom
import { expect, it, vi } from 'vitest'
import { plainOrRefused } from './trusted-types.ts'

it.each(['', '.a{color:red}', '.a::after{content:"\\3c"}', '@media (width > 3px){a{b:c}}', 'Test & more'])(
  'accepts text that cannot create an element: %j',
  (text) => {
    expect(plainOrRefused(text)).toBe(text)
  },
)

it.each(['<', '<img src=x onerror=alert(1)>', 'a{}</style><script>', '\u0000<b>', 'text <!-- -->'])(
  'refuses text that could create one: %j',
  (text) => {
    expect(plainOrRefused(text)).toBeNull()
  },
)

it('creates the one policy that the content policy of the desk allows, for HTML alone', async () => {
  const createPolicy = vi.fn()
  vi.stubGlobal('trustedTypes', { createPolicy })
  vi.resetModules()
  await import('./trusted-types.ts')
  expect(createPolicy.mock.calls.map(([name, rules]) => [name, Object.keys(rules)])).toEqual([
    ['default', ['createHTML']],
  ])
})
