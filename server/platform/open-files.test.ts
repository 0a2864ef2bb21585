import { describe, expect, it } from 'vitest'
import { gatewayLimits } from './gateway-limits.ts'
import { connectionsFor, readFileLimit } from './open-files.ts'
import { StartFailure } from './start-failure.ts'

const { maxConnections: most } = gatewayLimits

describe('the connections that a gateway accepts', () => {
  it.each([undefined, 65_536, most + 200])(
    'are as many as usual where the process may open %s files',
    (files) => {
      expect(connectionsFor(files)).toEqual({ maxConnections: most })
    },
  )

  it.each([
    [most + 199, most - 1],
    [1_024, 824],
    [250, 50],
  ])('are fewer than the %i files that it may open, and a warning says so', (files, connections) => {
    expect(connectionsFor(files)).toEqual({
      maxConnections: connections,
      warning: expect.stringContaining(
        `may open ${files} files at once, so it accepts ${connections} connections instead of ${most}`,
      ),
    })
  })

  it.each([0, 64, 249])('would be too few with %i files: it does not start', (files) => {
    expect(() => connectionsFor(files)).toThrow(StartFailure)
    expect(() => connectionsFor(files)).toThrow(
      `it may open ${files} files at once and needs at least 250 (LimitNOFILE of systemd, ulimits of compose, ulimit -n elsewhere raise it).`,
    )
  })
})

it('reads the limit of this process', () => {
  expect(readFileLimit()).toBeGreaterThan(0)
})
