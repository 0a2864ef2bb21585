// @vitest-environment jsdom
import { expect, it, vi } from 'vitest'
import { plainOrRefused, workerOrRefused } from './trusted-types.ts'

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

it('creates the one policy the content policy allows, for HTML and script URLs only', async () => {
  const createPolicy = vi.fn()
  vi.stubGlobal('trustedTypes', { createPolicy })
  vi.resetModules()
  await import('./trusted-types.ts')
  expect(createPolicy).toHaveBeenCalledTimes(1)
  expect(createPolicy.mock.calls[0]?.[0]).toBe('default')
  expect(Object.keys(createPolicy.mock.calls[0]?.[1] ?? {})).toEqual(['createHTML', 'createScriptURL'])
})

it('accepts the address of the service worker as a script URL, and no other', () => {
  expect(workerOrRefused('/sw.js')).toBe('/sw.js')
  for (const url of ['/sw.js?x', 'sw.js', '//evil.example/sw.js', 'https://evil.example/sw.js', ''])
    expect(workerOrRefused(url)).toBeNull()
})
