import { createServer } from 'node:net'

/**
 * `wanted`: `[{ variable, fallback, of }]`. Returns the ports by variable. Throws one sentence per port that is
 * invalid, taken, or wanted twice, and names the variable that changes it.
 */
export async function choosePorts(wanted, host) {
  const chosen = {}
  const complaints = []
  for (const { variable, fallback, of } of wanted) {
    const given = process.env[variable]?.trim() || String(fallback)
    const port = Number(given)
    const taken = Object.keys(chosen).find((other) => chosen[other] === port)
    if (!/^\d{1,5}$/.test(given) || port < 1 || port > 65_535) {
      complaints.push(`${variable} is not a port number.`)
    } else if (taken !== undefined) {
      complaints.push(`${taken} and ${variable} are both ${port}: give one of them another number.`)
    } else if (!(await isFree(port, host))) {
      complaints.push(
        `Port ${port} (${of}) is in use. Set ${variable} to another, e.g. ${variable}=${port + 100}.`,
      )
    }
    chosen[variable] = port
  }
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
  return chosen
}

function isFree(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(new Error(`Cannot listen on ${host}:${port}: ${error.message}`))
    })
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
