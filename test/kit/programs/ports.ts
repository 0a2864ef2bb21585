import { randomInt } from 'node:crypto'

/**
 * Below the ephemeral ports (Linux from 32768, others from 49152): otherwise an outgoing connection may take the port
 * first.
 */
const lowest = 10_000
const highest = 29_999

const isTaken = (error: unknown) => /EADDRINUSE|in use/i.test(String(error))
const mostTries = 20

/** A port drawn at random. It may be in use: whatever is started on it says so, and is started again by `onFreePorts`. */
const randomPort = () => randomInt(lowest, highest + 1)

/**
 * Starts programs that must know a port before they listen on it. Nothing but the program itself opens the port, so that no
 * other one can take it in between.
 * @param start ends what it has started, and rejects with the words of Node or of the gateway, when a port is in use: it
 * is then called again with other ports.
 */
export async function onFreePorts<T>(count: number, start: (ports: number[]) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const ports = new Set<number>()
    while (ports.size < count) ports.add(randomPort())
    try {
      return await start([...ports])
    } catch (error) {
      if (!isTaken(error) || tries === mostTries) throw error
    }
  }
}
