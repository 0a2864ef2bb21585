// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  clearTabStorage,
  readStored,
  readStoredJson,
  removeStored,
  store,
  storeJson,
} from './browser-storage.ts'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

it('keeps an item for the tab or for the browser', () => {
  expect(store('booking', 'a draft')).toBe(true)
  expect(store('agentToken', 'a token')).toBe(true)
  expect(sessionStorage.getItem('booking')).toBe('a draft')
  expect(localStorage.getItem('agentToken')).toBe('a token')

  clearTabStorage()
  expect(readStored('booking')).toBeUndefined()
  expect(readStored('agentToken')).toBe('a token')
  removeStored('agentToken')
  expect(readStored('agentToken')).toBeUndefined()
})

it('reads JSON back, and nothing from a text that is not JSON', () => {
  storeJson('tabOwner', { role: 'user', id: 1 })
  expect(readStoredJson('tabOwner')).toEqual({ role: 'user', id: 1 })
  store('tabOwner', 'not json')
  expect(readStoredJson('tabOwner')).toBeUndefined()
  expect(readStoredJson('signIn')).toBeUndefined()
})

describe('blocked storage', () => {
  it('reads as empty and reports that nothing was stored', () => {
    const blocked = () => {
      throw new DOMException('blocked', 'SecurityError')
    }
    const methods = ['getItem', 'setItem', 'removeItem', 'clear'] as const
    const spies = methods.map((method) => vi.spyOn(Storage.prototype, method).mockImplementation(blocked))
    try {
      expect(store('booking', 'a draft')).toBe(false)
      expect(readStored('agentToken')).toBeUndefined()
      expect(readStoredJson('booking')).toBeUndefined()
      expect(() => removeStored('agentToken')).not.toThrow()
      expect(() => clearTabStorage()).not.toThrow()
    } finally {
      for (const spy of spies) spy.mockRestore()
    }
  })
})
