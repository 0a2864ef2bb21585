import { Check } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { AgentsAnswer, CitiesAnswer, OfficesAnswer } from '#shared/wire/shipping/shipping.wire.ts'
import { agents, citiesOf, offices } from './shipping.directory.ts'

describe('the directory', () => {
  it('fits the schemas of the wire', () => {
    expect(Check(OfficesAnswer, offices)).toBe(true)
    expect(Check(AgentsAnswer, agents)).toBe(true)
    for (const country of ['SA', 'AE', 'BH']) expect(Check(CitiesAnswer, citiesOf(country))).toBe(true)
  })

  it('has offices with one shift, two, one that ends on the next day, and one that cannot be read', () => {
    const shifts = new Set(offices.map(({ firstShift, secondShift }) => `${firstShift}, ${secondShift}`))
    for (const known of ['08:00 - 23:00, ', '09:00 - 12:00, 16:00 - 21:00', '16:00 - 02:00, ', '24 Hours, '])
      expect(shifts).toContain(known)
    expect(new Set(offices.map(({ weekendShift }) => weekendShift))).toContain('16:00 - 20:00')
  })

  describe('of agents', () => {
    it('has a name of its own for each, in both languages', () => {
      expect(new Set(agents.map(({ name }) => name)).size).toBe(agents.length)
      for (const { name } of agents) expect(name).toMatch(/^[\u0621-\u064A ]+ · [A-Za-z -]+$/)
    })

    it('keeps the sign-in phones of the first three', () => {
      expect(agents.slice(0, 3).map((agent) => agent.phone)).toEqual([
        '+966500000101',
        '+966500000102',
        '+966500000103',
      ])
      for (const agent of agents) expect(agent.phone).toMatch(/^\+96650000\d{4}$/)
    })
  })
})
